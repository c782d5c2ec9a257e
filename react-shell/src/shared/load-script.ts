const TIMEOUT_MS = 10_000;

const scripts = new Map<string, Promise<void>>();

/** Loads a third-party script once per document. A failed load can be retried. */
export function loadScript(url: string, attributes: Record<string, string> = {}): Promise<void> {
  const known = scripts.get(url);
  if (known) return known;
  const script = document.createElement("script");
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  const promise = new Promise<void>((resolve, reject) => {
    const fail = () => {
      scripts.delete(url);
      script.remove();
      reject(new Error(`${url} could not be loaded.`));
    };
    // A blocked host may never respond.
    const timer = setTimeout(fail, TIMEOUT_MS);
    script.addEventListener("load", () => {
      clearTimeout(timer);
      resolve();
    });
    script.addEventListener("error", () => {
      clearTimeout(timer);
      fail();
    });
  });
  scripts.set(url, promise);
  script.src = url;
  document.head.append(script);
  return promise;
}
