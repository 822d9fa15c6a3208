//! Who may use the server.
//!
//! Any web page that the user visits can send requests to 127.0.0.1, and by DNS rebinding it can
//! even pretend to come from there. Three checks keep such pages out: the `Host` header has to name
//! the address that the server listens on, a request that a foreign page caused is refused
//! (`Origin`, `Sec-Fetch-Site`), and every request that changes anything has to carry a token that
//! only the server's own pages contain. A server that listens beyond the loopback interface asks
//! for the token from the first request on.

use std::fs::File;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::ApiError;

/// The header of requests that change something.
const TOKEN_HEADER: &str = "x-arena-token";

/// The cookie that carries the token where every request needs it.
const COOKIE: &str = "arena-token";

/// What the server knows about permitted requests.
#[derive(Clone, Debug)]
pub struct Access {
    token: String,
    address: SocketAddr,
}

impl Access {
    /// Access for a server that listens on an address, with a new token.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn new(address: SocketAddr) -> io::Result<Access> {
        let mut random = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut random)?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Access { token, address })
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether only this machine can connect.
    pub fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        let address = self.address;
        match self.is_local() {
            true => format!("http://{address}/"),
            false => format!("http://{address}/?token={}", self.token),
        }
    }

    /// Whether a `Host` header names this server. Beyond the loopback interface the server cannot
    /// know all its names; there the token, which a browser sends only to the name it got it from,
    /// protects against rebinding.
    fn is_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let names = [self.address.ip().to_string(), format!("[{}]", self.address.ip())];
        let local = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        !self.is_local()
            || names.iter().chain(&local).any(|name| {
                host.eq_ignore_ascii_case(&format!("{name}:{port}"))
                    || (port == 80 && host.eq_ignore_ascii_case(name))
            })
    }

    /// Whether a text is the token. The time it takes does not depend on where they differ.
    fn is_token(&self, text: &str) -> bool {
        let (given, token) = (text.as_bytes(), self.token.as_bytes());
        given.len() == token.len()
            && given.iter().zip(token).fold(0, |different, (a, b)| different | (a ^ b)) == 0
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == COOKIE && self.is_token(value))
    }

    /// The reason to refuse a request, if there is one.
    fn refusal(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<ApiError> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text("host").unwrap_or("");
        if !self.is_host(host) {
            let why = format!("this server is not called `{host}`");
            let help = format!("open {}", self.url());
            return Some(ApiError::forbidden(why).with_help(help));
        }
        if let Some(origin) = text("origin")
            && origin != format!("http://{host}")
        {
            return Some(ApiError::forbidden("the request comes from another site"));
        }
        let is_page = *method == Method::GET && !uri.path().starts_with("/api/");
        if let Some(site) = text("sec-fetch-site")
            && !(["same-origin", "none"].contains(&site) || is_page)
        {
            return Some(ApiError::forbidden("the request comes from another site"));
        }
        let reads = [Method::GET, Method::HEAD].contains(method);
        if !reads && !self.is_token(text(TOKEN_HEADER).unwrap_or("")) {
            let why = "the request lacks the token of this server's pages";
            let help = "reload the page: the server has been restarted";
            return Some(ApiError::forbidden(why).with_help(help));
        }
        if !self.is_local() && reads && !self.has_cookie(headers) {
            let why = "this server needs its token";
            let help = "open the address that `arena serve` printed, with `?token=…`";
            return Some(ApiError::forbidden(why).with_help(help));
        }
        None
    }
}

/// The token in the address, as the user gets it from the terminal.
fn token_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Refuses requests that [`Access`] does not permit.
pub(super) async fn guard(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let (method, uri) = (request.method(), request.uri());
    // A visit with the token in the address: from now on the cookie carries it.
    if *method == Method::GET && token_of(uri).is_some_and(|token| access.is_token(token)) {
        let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", access.token);
        let cookie = HeaderValue::from_str(&cookie).expect("the token is hexadecimal");
        let place = HeaderValue::from_str(uri.path()).unwrap_or(HeaderValue::from_static("/"));
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, place)];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    match access.refusal(method, uri, request.headers()) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(address: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> bool {
        let access = Access { token: "secret".to_owned(), address: address.parse().unwrap() };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
            map.append(name, value.parse().unwrap());
        }
        access.refusal(&method, &path.parse().unwrap(), &map).is_some()
    }

    #[test]
    fn only_the_names_of_the_server_are_hosts() {
        let get = |host| refused("127.0.0.1:8080", Method::GET, "/", &[("host", host)]);
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(!get(host), "{host}");
        }
        for host in ["evil.example:8080", "127.0.0.1:81", "127.0.0.1", "", "127.0.0.1.evil:8080"] {
            assert!(get(host), "{host}");
        }
    }

    #[test]
    fn a_foreign_page_can_neither_read_nor_change_anything() {
        let host = ("host", "localhost:80");
        let local = |method, path, more: &[(&str, &str)]| {
            refused("127.0.0.1:80", method, path, &[&[host], more].concat())
        };
        let token = ("x-arena-token", "secret");
        assert!(!local(Method::GET, "/api/library", &[]));
        assert!(!local(Method::GET, "/api/library", &[("sec-fetch-site", "same-origin")]));
        assert!(local(Method::GET, "/api/library", &[("sec-fetch-site", "cross-site")]));
        assert!(local(Method::GET, "/api/library", &[("origin", "http://evil.example")]));
        // A link from another site may open a page.
        assert!(!local(Method::GET, "/play", &[("sec-fetch-site", "cross-site")]));
        assert!(!local(Method::POST, "/api/run", &[token]));
        assert!(!local(Method::POST, "/api/run", &[token, ("origin", "http://localhost:80")]));
        assert!(local(Method::POST, "/api/run", &[]));
        assert!(local(Method::POST, "/api/run", &[("x-arena-token", "secreT")]));
        assert!(local(Method::POST, "/api/run", &[token, ("origin", "null")]));
        assert!(local(Method::POST, "/api/run", &[token, ("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn beyond_this_machine_every_request_needs_the_token() {
        let get = |more: &[(&str, &str)]| {
            refused("0.0.0.0:80", Method::GET, "/", &[&[("host", "lab:80")], more].concat())
        };
        assert!(get(&[]));
        assert!(get(&[("cookie", "arena-token=other")]));
        assert!(!get(&[("cookie", "a=b; arena-token=secret")]));
    }
}
