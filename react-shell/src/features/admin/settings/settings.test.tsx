import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { CONFIG, errorResponse, openShop, signIn, type MockResponses } from "../../../test-shop";
import type { SettingChanges, SettingsVersion, TimeZones } from "./api";

const LOAD = "GET /api/admin/settings";
const SAVE = "PATCH /api/admin/settings";
const HISTORY = "GET /api/admin/settings/history";
const ZONES = "GET /api/admin/time-zones";

const SETTINGS: SettingsVersion = {
  version: 3,
  settings: {
    shop_name: "Nudgelight",
    support_email: "support@nudgelight.example",
    seller_name: null,
    seller_address: null,
    return_shipping: "customer",
    orders_email: null,
    low_stock_email: null,
    time_zone: "UTC",
    shipping_rates: CONFIG.shipping_rates,
    delivery_times: CONFIG.delivery,
    contact: null,
    privacy: null,
    terms: null,
    shipping_and_returns: null,
    announcement: null,
  },
  locked: {},
};

const CHANGE = {
  actor: "admin@nudgelight.example",
  created_at: "2026-11-21T12:00:00Z",
  created_at_local: "2026-11-21T12:00:00Z",
};
const CHANGES: SettingChanges = {
  changes: [
    { ...CHANGE, version: 3, name: "shop_name", before: null, value: "Nudgelight" },
    {
      ...CHANGE,
      version: 2,
      name: "shipping_rates",
      before: CONFIG.shipping_rates,
      value: { ...CONFIG.shipping_rates, us: { first_pound: 5, additional_pound: 1.5 } },
    },
  ],
  page: 1,
  totalPages: 1,
};

const TIME_ZONES: TimeZones = {
  zones: [
    { name: "America/New_York", offset: "-05:00" },
    { name: "Asia/Kathmandu", offset: "+05:45" },
    { name: "UTC", offset: "+00:00" },
  ],
  change_seconds: 4,
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function openSettings(responses: MockResponses = {}) {
  const page = openShop("/admin/settings", { [LOAD]: SETTINGS, [HISTORY]: CHANGES, [ZONES]: TIME_ZONES, ...responses });
  const form = async (name: string) => within(await screen.findByRole("form", { name }));
  return { page, form };
}

describe("the settings", () => {
  test("of a section are saved with the version that was seen, and without the others", async () => {
    const saved = { ...SETTINGS, version: 4 };
    const { page, form } = await openSettings({ [SAVE]: saved });
    const shop = await form("Shop");
    const name = shop.getByLabelText("Shop name");
    await page.user.clear(name);
    await page.user.type(name, "Lampshop{Enter}");
    expect((await shop.findByRole("status")).textContent).toMatch(/^Saved/);
    const mine = {
      shop_name: "Lampshop",
      support_email: "support@nudgelight.example",
      seller_name: "",
      seller_address: "",
      return_shipping: "customer",
    };
    expect(page.sent(SAVE).map(({ body }) => body)).toEqual([{ ...mine, version: 3 }]);
    await waitFor(() => expect(page.sent("GET /api/config")).toHaveLength(2));
    await page.user.click(shop.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE).at(1)?.body).toEqual({ ...mine, version: 4 }));
  });

  test("of the time zone are a choice of names with their present offsets", async () => {
    const { page, form } = await openSettings({ [SAVE]: { ...SETTINGS, version: 4 } });
    const section = await form("Time zone");
    const choice = await section.findByLabelText("Time zone");
    expect(
      within(choice)
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["America/New York (UTC-05:00)", "Asia/Kathmandu (UTC+05:45)", "UTC (UTC+00:00)"]);
    expect(section.getByText(/takes about 4 seconds\. Customers can’t place orders/)).toBeTruthy();
    await page.user.selectOptions(choice, "America/New_York");
    await page.user.click(section.getByRole("button", { name: "Save Changes" }));
    await waitFor(() =>
      expect(page.sent(SAVE).map(({ body }) => body)).toEqual([{ time_zone: "America/New_York", version: 3 }]),
    );
  });

  test("show progress while a change of the time zone is saved", async () => {
    let respond: (response: Response) => void = () => undefined;
    const saved = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const { page, form } = await openSettings({ [SAVE]: () => saved });
    const section = await form("Time zone");
    await page.user.selectOptions(await section.findByLabelText("Time zone"), "UTC");
    expect(section.queryByRole("progressbar")).toBeNull();
    await page.user.click(section.getByRole("button", { name: "Save Changes" }));
    const progress = await section.findByRole("progressbar", { name: "Recounting the daily totals" });
    await waitFor(() => expect(progress).toHaveProperty("value", 1), { timeout: 3_000 });
    respond(Response.json({ ...SETTINGS, version: 4 }));
    await waitFor(() => expect(section.queryByRole("progressbar")).toBeNull());
    expect((await section.findByText(/^Saved/)).textContent).toBeTruthy();
  });

  test("show all errors of a section at once", async () => {
    const { page, form } = await openSettings();
    const shop = await form("Shop");
    await page.user.clear(shop.getByLabelText("Shop name"));
    await page.user.clear(shop.getByLabelText("Support email"));
    await page.user.type(shop.getByLabelText("Support email"), "support{Enter}");
    for (const label of ["Shop name", "Support email"]) {
      expect(shop.getByLabelText(label).getAttribute("aria-invalid")).toBe("true");
    }
    const shipping = await form("Shipping and delivery");
    const [amount, ...others] = shipping.getAllByLabelText("First pound (US dollars)");
    fireEvent.change(amount as HTMLElement, { target: { value: "1000" } });
    fireEvent.change(others[0] as HTMLElement, { target: { value: "" } });
    await page.user.click(shipping.getByRole("button", { name: "Save Changes" }));
    expect(shipping.getByText("Enter an amount from $0.00 to $999.99.")).toBeTruthy();
    expect([amount, others[0]].map((field) => field?.getAttribute("aria-invalid"))).toEqual(["true", "true"]);
    expect(page.sent(SAVE)).toHaveLength(0);
  });

  test("have no button to save where environment variables set everything", async () => {
    const { form } = await openSettings({ [LOAD]: { ...SETTINGS, locked: { time_zone: "SHOP_TIME_ZONE" } } });
    expect((await form("Time zone")).queryByRole("button", { name: "Save Changes" })).toBeNull();
    expect((await form("Notifications")).getByRole("button", { name: "Save Changes" })).toBeTruthy();
  });

  test("name the variable that sets the time zone", async () => {
    const { form } = await openSettings({ [LOAD]: { ...SETTINGS, locked: { time_zone: "SHOP_TIME_ZONE" } } });
    const field = await (await form("Time zone")).findByLabelText("Time zone");
    expect(field).toHaveProperty("readOnly", true);
    expect(screen.getByText("SHOP_TIME_ZONE")).toBeTruthy();
  });

  test("of shipping are amounts and ranges of days", async () => {
    const { page, form } = await openSettings({ [SAVE]: SETTINGS });
    const shipping = await form("Shipping and delivery");
    const canada = within(shipping.getByRole("group", { name: "Canada" }));
    const fill = async (label: string, text: string) => {
      await page.user.clear(canada.getByLabelText(label));
      await page.user.type(canada.getByLabelText(label), text);
    };
    await fill("First pound (US dollars)", "12.5");
    await fill("Delivery (business days)", "7 - 14");
    const cutoff = shipping.getByLabelText<HTMLSelectElement>("Order cutoff");
    expect([...cutoff.options].map(({ text }) => text)).toEqual(
      expect.arrayContaining(["Midnight", "Noon", "No cutoff"]),
    );
    await page.user.selectOptions(cutoff, "2 PM");
    await page.user.click(shipping.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(1));
    expect(page.sent(SAVE)[0]?.body).toEqual({
      version: 3,
      shipping_rates: { ...CONFIG.shipping_rates, ca: { first_pound: 12.5, additional_pound: 2.5 } },
      delivery_times: {
        handling: { min: 1, max: 2 },
        transit: { US: { min: 3, max: 5 }, CA: { min: 7, max: 14 } },
        cutoff_hour: 14,
      },
    });
  });

  test("with a mistake are marked and not sent", async () => {
    const { page, form } = await openSettings();
    const shipping = await form("Shipping and delivery");
    const days = shipping.getByLabelText("Ships within (business days)");
    await page.user.clear(days);
    await page.user.type(days, "soon{Enter}");
    expect(days.getAttribute("aria-invalid")).toBe("true");
    expect(shipping.getByText('Enter business days from 0 to 90, like "3-5" or "3".')).toBeTruthy();
    expect(document.activeElement).toBe(days);
    expect(page.sent(SAVE)).toHaveLength(0);
  });

  test.each(["{Enter}", "4.955{Enter}"])("of shipping with the amount %j are marked and not sent", async (typed) => {
    const { page, form } = await openSettings();
    const shipping = await form("Shipping and delivery");
    const canada = within(shipping.getByRole("group", { name: "Canada" }));
    const amount = canada.getByLabelText("First pound (US dollars)");
    await page.user.clear(amount);
    await page.user.type(amount, typed);
    expect(amount.getAttribute("aria-invalid")).toBe("true");
    expect(canada.getByText(/^Enter an amount in dollars with at most two decimals/)).toBeTruthy();
    expect(page.sent(SAVE)).toHaveLength(0);
  });

  test("that the server rejects are marked with its message", async () => {
    const fields = { orders_email: "Enter an email address like name@example.com." };
    const { page, form } = await openSettings({
      [SAVE]: errorResponse(400, { error: "Please correct the marked fields.", code: "InvalidRequest", fields }),
    });
    const section = await form("Notifications");
    await page.user.type(section.getByLabelText(/Notification email/), "nobody{Enter}");
    expect(await section.findByText(fields.orders_email)).toBeTruthy();
    expect(document.activeElement).toBe(section.getByLabelText(/Notification email/));
  });

  test("of an environment variable are read-only and name it", async () => {
    const { form } = await openSettings({ [LOAD]: { ...SETTINGS, locked: { shop_name: "SHOP_NAME" } } });
    const shop = await form("Shop");
    expect(shop.getByLabelText("Shop name")).toHaveProperty("readOnly", true);
    expect(shop.getByText("SHOP_NAME")).toBeTruthy();
    expect(shop.getByLabelText("Support email")).toHaveProperty("readOnly", false);
  });

  describe("that someone else changed meanwhile", () => {
    const current = { ...SETTINGS, version: 9, settings: { ...SETTINGS.settings, shop_name: "Theirs" } };
    const CONFLICT = errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current } });

    async function conflict() {
      const { page, form } = await openSettings({ [SAVE]: CONFLICT });
      const shop = await form("Shop");
      await page.user.type(shop.getByLabelText("Shop name"), "s{Enter}");
      const notice = within(await shop.findByRole("alert"));
      const rows = notice.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
      expect(rows.slice(1)).toEqual([["Shop name"], ["Nudgelights", "Theirs"]]);
      return { page, shop, notice };
    }

    test("are shown beside the own ones, and saved over theirs if told to", async () => {
      const { page, shop, notice } = await conflict();
      page.responses[SAVE] = { ...current, version: 10 };
      await page.user.click(notice.getByRole("button", { name: "Keep Mine" }));
      expect((await shop.findByRole("status")).textContent).toMatch(/^Saved/);
      expect(page.sent(SAVE).at(1)?.body).toMatchObject({ shop_name: "Nudgelights", version: 9 });
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Shop" })));
    });

    test("are merged with the own ones, if they are others", async () => {
      const { page, form } = await openSettings({ [SAVE]: CONFLICT });
      const shop = await form("Shop");
      const email = shop.getByLabelText("Support email");
      await page.user.clear(email);
      page.responses[SAVE] = () => {
        page.responses[SAVE] = { ...current, version: 10 };
        return CONFLICT();
      };
      await page.user.type(email, "help@nudgelight.example{Enter}");
      expect((await shop.findByRole("status")).textContent).toMatch(/Someone else’s changes were kept: Shop name\.$/);
      expect(page.sent(SAVE)[1]?.body).toEqual({
        shop_name: "Theirs",
        support_email: "help@nudgelight.example",
        seller_name: "",
        seller_address: "",
        return_shipping: "customer",
        version: 9,
      });
      expect(shop.getByLabelText("Shop name")).toHaveProperty("value", "Theirs");
    });

    test("are taken over, and the focus stays in the section", async () => {
      const { page, shop, notice } = await conflict();
      await page.user.click(notice.getByRole("button", { name: "Take Theirs" }));
      await waitFor(() => expect(shop.getByLabelText("Shop name")).toHaveProperty("value", "Theirs"));
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Shop" })));
      expect(shop.queryByRole("alert")).toBeNull();
      expect(page.sent(SAVE)).toHaveLength(1);
    });
  });

  test("have a history of who changed what", async () => {
    await openSettings();
    const rows = (await screen.findAllByText(/→/)).map((row) => row.textContent);
    expect(rows).toEqual([
      "Shop name: default → Nudgelight",
      "Shipping rates: United States $4.95 + $1.25, Canada $11.95 + $2.50 → United States $5.00 + $1.50, Canada $11.95 + $2.50",
    ]);
  });
});
