const PATIENCE_MS = 10_000;

const loading = new Map<string, Promise<void>>();

/** Loads another host's script, once for the life of the document. One that failed may be asked for again. */
export function loadScript(url: string, attributes: Record<string, string> = {}): Promise<void> {
  const known = loading.get(url);
  if (known) return known;
  const script = document.createElement("script");
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  const promise = new Promise<void>((resolve, reject) => {
    const fail = () => {
      loading.delete(url);
      script.remove();
      reject(new Error(`${url} could not be loaded.`));
    };
    // A host that is blocked on the way may never answer at all.
    const timer = setTimeout(fail, PATIENCE_MS);
    script.addEventListener("load", () => {
      clearTimeout(timer);
      resolve();
    });
    script.addEventListener("error", () => {
      clearTimeout(timer);
      fail();
    });
  });
  loading.set(url, promise);
  script.src = url;
  document.head.append(script);
  return promise;
}
