// Keeps the files of the site, so that it works without a network. A new version has another name, and
// replaces the old one as a whole: its pages, scripts and modules belong together.

const VERSION = 'SITE_VERSION';
const FILES = SITE_FILES;

const site = /** @type {any} */ (self);

site.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })));
    await site.skipWaiting();
  };
  event.waitUntil(keep());
});

site.addEventListener('activate', (event) => {
  const take = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('fanorona-') && name !== VERSION) await caches.delete(name);
    }
    await site.clients.claim();
  };
  event.waitUntil(take());
});

// What is kept is not asked for again; reports are kept once they have been read.
async function answer(request) {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

site.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});
