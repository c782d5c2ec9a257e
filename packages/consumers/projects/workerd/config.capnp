using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "out/worker.mjs"),
    (name = "./index.wasm", wasm = embed "out/index.wasm"),
    (name = "./tax.wasm", wasm = embed "out/tax.wasm"),
    (name = "./schedule.wasm", wasm = embed "out/schedule.wasm"),
  ],
  compatibilityDate = "2026-11-01",
);
