// Keeps the page for when there is no network: the files of this version, all of them, and nothing else.
const CACHE = 'httpd-codemod-@VERSION@';
const FILES = ['./', 'index.html', 'page.js', 'worker.js', 'report.js'];

addEventListener('install', (event) => {
  // Past the browser's own cache: files of two versions must not meet.
  const fresh = FILES.map((name) => new Request(name, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => skipWaiting())); // prettier-ignore
});

addEventListener('activate', (event) => {
  const ours = (name) => name.startsWith('httpd-codemod-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(ours).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(
    caches
      .open(CACHE)
      .then(
        async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request),
      ),
  );
});
