import { createApp } from "vue";
import PriceALight from "./PriceALight.vue";

createApp(PriceALight, { shop: import.meta.env.VITE_SHOP }).mount("#app");
