//! The access to the server.
//!
//! Every user of this machine can reach a port of 127.0.0.1, any web page that the user visits can
//! send requests there, and by DNS rebinding it can even pretend to come from there. So every
//! request needs the token of this server, which only its user is told: the address that is printed
//! has it, and from the first visit on a cookie carries it. Requests that change anything need it
//! in a header as well, which only the server's own pages know. The `Host` header has to name the
//! address that the server listens on, and a request that a foreign page caused is refused
//! (`Origin`, `Sec-Fetch-Site`). Only the style sheets and scripts are free: they are the same in
//! every copy of the program.

use std::fmt::Display;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};
use tracing::debug;

use super::connections::LetIn;
use super::error::{ApiError, is_page};
use fanorona_tournament::mutex::lock;

/// The header of requests that change something.
const TOKEN_HEADER: &str = "x-arena-token";

/// The time for which an address for a browser that is started with it can be used.
const OPENING: Duration = Duration::from_secs(60);

/// The conditions of permitted requests.
#[derive(Debug)]
pub struct Access {
    token: String,
    address: SocketAddr,
    /// A key that is good for one visit until a time.
    opening: Mutex<Option<(String, Instant)>>,
}

/// A new secret in hexadecimal digits.
fn secret() -> io::Result<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a text is a secret. The time it takes does not depend on where they differ.
fn is_same(text: &str, secret: &str) -> bool {
    let (given, secret) = (text.as_bytes(), secret.as_bytes());
    given.len() == secret.len()
        && given.iter().zip(secret).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

impl Access {
    /// Access for a server that listens on an address, with a new token.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn new(address: SocketAddr) -> io::Result<Access> {
        Ok(Access { token: secret()?, address, opening: Mutex::default() })
    }

    /// The token.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The address of a page, with the token.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}?token={}", self.address, self.token)
    }

    /// The address of a page for a program that is started with it. Other users of this machine can
    /// read the arguments of programs, so instead of the token it has a key for one visit.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub(super) fn opening(&self, path: &str) -> io::Result<String> {
        let key = secret()?;
        let url = format!("http://{}{path}?token={key}", self.address);
        let mut opening = lock(&self.opening);
        *opening = Some((key, Instant::now() + OPENING));
        Ok(url)
    }

    /// Whether a visit with this text as its token is let in.
    fn lets_in(&self, text: &str) -> bool {
        let mut opening = lock(&self.opening);
        let opens = opening
            .take_if(|(key, until)| is_same(text, key) || *until < Instant::now())
            .is_some_and(|(key, until)| is_same(text, &key) && Instant::now() <= until);
        opens || is_same(text, &self.token)
    }

    /// Whether a `Host` header names this server. Beyond the loopback interface the server cannot
    /// know all its names; there the token, which a browser sends only to the name it got it from,
    /// protects against rebinding.
    fn is_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let names = [self.address.ip().to_string(), format!("[{}]", self.address.ip())];
        let local = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        !self.address.ip().is_loopback()
            || names.iter().chain(&local).any(|name| {
                host.eq_ignore_ascii_case(&format!("{name}:{port}"))
                    || (port == 80 && host.eq_ignore_ascii_case(name))
            })
    }

    /// The name of the cookie with the token. Browsers do not keep the cookies of ports apart, so
    /// that two servers need two names.
    fn cookie(&self) -> String {
        format!("arena-token-{}", self.address.port())
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == self.cookie() && is_same(value, &self.token))
    }

    /// The reason to refuse a request, if there is one. `enters`: it has the token in its address.
    fn refusal(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        enters: bool,
    ) -> Option<ApiError> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text("host").unwrap_or("");
        if !self.is_host(host) {
            let why = format!("this server is not called `{host}`");
            let help = format!("open http://{}", self.address);
            let values: [(_, &dyn Display); 2] = [("host", &host), ("address", &self.address)];
            return Some(ApiError::forbidden(why).with_help(help).said_with("other-name", values));
        }
        let foreign = ApiError::forbidden("the request comes from another site");
        let foreign = foreign.said("other-site");
        if let Some(origin) = text("origin")
            && origin != format!("http://{host}")
        {
            return Some(foreign);
        }
        if let Some(site) = text("sec-fetch-site")
            && !(["same-origin", "none"].contains(&site) || is_page(method, uri))
        {
            return Some(foreign);
        }
        let is_free = *method == Method::GET && uri.path().starts_with("/assets/");
        if !enters && !is_free && !self.has_cookie(headers) {
            let why = "this server does not know this browser";
            let help = "open the address that the server printed when it was started, which ends \
                        with its token; a server that has been restarted has another one";
            return Some(ApiError::forbidden(why).with_help(help).said("not-let-in"));
        }
        let reads = [Method::GET, Method::HEAD].contains(method);
        if !reads && !is_same(text(TOKEN_HEADER).unwrap_or(""), &self.token) {
            let why = "the request lacks the token of this server's pages";
            let refusal = ApiError::forbidden(why).with_help("reload the page");
            return Some(refusal.said("no-token"));
        }
        None
    }
}

/// The token in the address, as the user gets it from the terminal.
fn token_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Refuses requests that [`Access`] does not permit. The answer to a visit with the token in its
/// address is the page itself: after a redirect from another site, or from a file, browsers would
/// not send the new cookie.
pub(super) async fn guard(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let enters =
        is_page(&method, &uri) && token_of(&uri).is_some_and(|token| access.lets_in(token));
    // Without the query, which may have the token.
    let path = uri.path();
    let is_let_in = enters || access.has_cookie(request.headers());
    if let Some(refusal) = access.refusal(&method, &uri, request.headers(), enters) {
        debug!(%method, path, "request is refused");
        let mut response = refusal.answer(&method, &uri);
        // Who may not ask keeps no connection.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    let mut response = next.run(request).await;
    debug!(%method, path, status = response.status().as_u16(), "request is answered");
    if is_let_in {
        response.extensions_mut().insert(LetIn);
    }
    if enters {
        let cookie =
            format!("{}={}; Path=/; HttpOnly; SameSite=Strict", access.cookie(), access.token);
        let cookie = HeaderValue::from_str(&cookie).expect("the token is hexadecimal");
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// `GET /api/alive`: pages ask for it to see that the server is there. The token is that of the
/// server that answers: after a restart, a page that has been let in again goes on with it.
pub(super) async fn alive(State(access): State<Arc<Access>>) -> Json<Value> {
    Json(json!({ "token": access.token() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        let address = address.parse().unwrap();
        Access { token: "secret".to_owned(), address, opening: Mutex::default() }
    }

    fn refused(address: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
            map.append(name, value.parse().unwrap());
        }
        access(address).refusal(&method, &path.parse().unwrap(), &map, false).is_some()
    }

    const COOKIE: (&str, &str) = ("cookie", "a=b; arena-token-80=secret");

    #[test]
    fn only_the_names_of_the_server_are_hosts() {
        let cookie = ("cookie", "arena-token-8080=secret");
        let get = |host| refused("127.0.0.1:8080", Method::GET, "/", &[("host", host), cookie]);
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
            refused("127.0.0.1:80", method, path, &[&[host, COOKIE], more].concat())
        };
        let token = ("x-arena-token", "secret");
        assert!(!local(Method::GET, "/api/library", &[]));
        assert!(!local(Method::GET, "/api/library", &[("sec-fetch-site", "same-origin")]));
        assert!(local(Method::GET, "/api/library", &[("sec-fetch-site", "cross-site")]));
        assert!(local(Method::GET, "/api/library", &[("origin", "http://evil.example")]));
        // A link from another site may open a page, if the browser sends the cookie with it.
        assert!(!local(Method::GET, "/play", &[("sec-fetch-site", "cross-site")]));
        assert!(!local(Method::POST, "/api/run", &[token]));
        assert!(!local(Method::POST, "/api/run", &[token, ("origin", "http://localhost:80")]));
        assert!(local(Method::POST, "/api/run", &[]));
        assert!(local(Method::POST, "/api/run", &[("x-arena-token", "secreT")]));
        assert!(local(Method::POST, "/api/run", &[token, ("origin", "null")]));
        assert!(local(Method::POST, "/api/run", &[token, ("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn every_request_but_for_scripts_and_styles_needs_the_cookie() {
        for (address, host) in [("0.0.0.0:80", "lab:80"), ("127.0.0.1:80", "127.0.0.1:80")] {
            let ask = |method, path, more: &[(&str, &str)]| {
                refused(address, method, path, &[&[("host", host)], more].concat())
            };
            for path in ["/", "/t/1", "/t/1/report", "/api/library", "/api/alive", "/else"] {
                assert!(ask(Method::GET, path, &[]), "{path}");
                assert!(ask(Method::HEAD, path, &[]), "{path}");
                for wrong in ["arena-token-80=other", "arena-token-81=secret", "x=secret"] {
                    assert!(ask(Method::GET, path, &[("cookie", wrong)]), "{path}: {wrong}");
                }
                assert!(!ask(Method::GET, path, &[COOKIE]), "{path}");
            }
            assert!(!ask(Method::GET, "/assets/pages.css", &[]));
            assert!(ask(Method::POST, "/assets/pages.css", &[("x-arena-token", "secret")]));
            assert!(ask(Method::POST, "/api/run", &[("x-arena-token", "secret")]));
        }
    }

    #[test]
    fn the_key_of_an_opened_browser_is_good_for_one_visit() {
        let access = access("127.0.0.1:80");
        let url = access.opening("/t/1").unwrap();
        assert!(url.starts_with("http://127.0.0.1:80/t/1?token=") && !url.contains("secret"));
        let key = token_of(&url.parse().unwrap()).unwrap().to_owned();
        assert!(!access.lets_in("other"));
        assert!(access.lets_in(&key));
        assert!(!access.lets_in(&key));
        assert!(access.lets_in("secret"));
        let url = access.opening("/").unwrap();
        let key = token_of(&url.parse().unwrap()).unwrap().to_owned();
        access.opening.lock().unwrap().as_mut().unwrap().1 = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        assert!(!access.lets_in(&key));
    }
}
