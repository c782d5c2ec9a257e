// Service worker: once visited, the tutorial, the Schedule Lab and the recipes work without a network. It responds to
// requests for its own pages and files and leaves all others to the browser. The build lists the files, the server sets the
// version; shared/offline.ts registers it.
(() => {
  /** @type {{ version: string, files: string[] }} */
  const { version, files } = Reflect.get(globalThis, "OFFLINE");
  const RECIPES = "/schedules";
  const PAGES = ["/schedule-lab", "/tutorial", RECIPES];
  const PREFIX = "offline-";
  const cacheName = PREFIX + version;
  const worker = /** @type {any} */ (globalThis);

  // Its three registrations install at the same time: the first one fills the cache that they share.
  worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(navigator.locks.request(cacheName, fill).then(() => worker.skipWaiting()));
  });

  async function fill() {
    const cache = await caches.open(cacheName);
    try {
      // All or nothing.
      if ((await cache.keys()).length === 0) await cache.addAll([...PAGES, ...files]);
      await Promise.all(PAGES.map(checkVersion));
    } catch (error) {
      // The browser tries again at the next visit.
      await caches.delete(cacheName);
      throw error;
    }
  }

  /** During an upgrade another version of the shop may have sent a page, which needs other files. @param {string} page */
  async function checkVersion(page) {
    const html = await (await cached(page))?.text();
    if (!html?.includes(files[0] ?? "")) throw new Error(`${page} is of another version`);
  }

  worker.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(deleteOldCaches());
  });

  /** The previous version's cache stays, for a scope whose worker has not been updated yet. */
  async function deleteOldCaches() {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName);
    await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
  }

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (method !== "GET" || origin !== worker.location.origin) return;
    if (files.includes(pathname)) event.respondWith(fileOf(event.request, pathname));
    const page = pathname.startsWith(`${RECIPES}/`) ? RECIPES : pathname;
    if (mode === "navigate" && PAGES.includes(page)) event.respondWith(pageOf(event.request, page));
  });

  /** The name of a file contains its hash. @param {Request} request @param {string} path */
  async function fileOf(request, path) {
    return (await cached(path)) ?? fetch(request);
  }

  /**
   * A page comes from the network as long as there is one. The document of all recipes stands in for each: the shell
   * renders the page of the path.
   *
   * @param {Request} request
   * @param {string} path
   */
  async function pageOf(request, path) {
    try {
      return await fetch(request);
    } catch (error) {
      const page = await cached(path);
      if (page === undefined) throw error;
      return new URL(request.url).pathname === path ? page : hideContent(page);
    }
  }

  /** Hides the stand-in's content, which belongs to another page, until the shell renders. @param {Response} page */
  async function hideContent(page) {
    return new Response((await page.text()).replace("<main", "<main hidden"), page);
  }

  /** A response with its headers, the content security policy among them. @param {string} path */
  function cached(path) {
    return caches.match(path, { cacheName });
  }
})();
