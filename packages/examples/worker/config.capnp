# workerd serve config.capnp
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "dist/worker.mjs"),
    (name = "tax.wasm", wasm = embed "dist/tax.wasm"),
  ],
  bindings = [(name = "SHOP", fromEnvironment = "SHOP")],
  compatibilityDate = "2026-11-01",
);
