// Keeps the files of the site, so that it works without a network. A new version has another name, and
// replaces the old one as a whole: its pages, scripts and modules belong together. Endgame tables are large
// and stay as they are, so the workers of the engines keep them by themselves.

const VERSION = 'SITE_VERSION';
const FILES = SITE_FILES;
const TABLES = 'fanorona-tables';

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
      if (name.startsWith('fanorona-') && ![VERSION, TABLES].includes(name)) await caches.delete(name);
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
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && !/\/tables\/[^/]+$/.test(pathname)) event.respondWith(answer(request));
});
