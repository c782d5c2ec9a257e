import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { deferred } from "../../../shared/deferred";
import { Deferred } from "../../../shared/ui/deferred";
import { Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { CardSkeleton } from "../../../shared/ui/skeleton";
import {
  getSettings,
  listSettingChanges,
  listTimeZones,
  type SettingChanges,
  type SettingsVersion,
  type TimeZones,
} from "./api";
import { AnnouncementFields } from "./announcement-fields";
import { NotificationFields } from "./notification-fields";
import { PolicyList } from "./policy-list";
import { saveSettings, type SaveSettingsResult } from "./save-settings";
import { SettingHistory } from "./setting-history";
import { SettingsSection } from "./settings-section";
import { ShippingFields } from "./shipping-fields";
import { ShopFields } from "./shop-fields";
import { TimeZoneFields } from "./time-zone-fields";

interface Loaded {
  settings: Promise<SettingsVersion>;
  history: Promise<SettingChanges>;
  timeZones: Promise<TimeZones>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  const page = new URL(request.url).searchParams.get("page") ?? "1";
  return {
    settings: deferred(getSettings()),
    history: deferred(listSettingChanges(new URLSearchParams({ page }))),
    timeZones: deferred(listTimeZones()),
  };
}

export async function action({ request }: ActionFunctionArgs): Promise<SaveSettingsResult> {
  requireAdmin(request);
  return saveSettings(await request.formData());
}

export function Component() {
  const { settings, history } = useLoaderData<Loaded>();
  return (
    <Page title="Settings">
      <div className="space-y-6">
        <Deferred
          data={settings}
          skeleton={<CardSkeleton className="h-96" />}
          failure={<RouteError message="Couldn’t load the settings" />}
        >
          {(loaded) => (
            <>
              <SettingsSection title="Shop" section="shop" settings={loaded} Fields={ShopFields} />
              <SettingsSection title="Time zone" section="time-zone" settings={loaded} Fields={TimeZoneFields} />
              <SettingsSection
                title="Announcement"
                section="announcement"
                settings={loaded}
                Fields={AnnouncementFields}
              />
              <SettingsSection
                title="Shipping and delivery"
                section="shipping"
                settings={loaded}
                Fields={ShippingFields}
              />
              <PolicyList />
              <SettingsSection
                title="Notifications"
                section="notifications"
                settings={loaded}
                Fields={NotificationFields}
              />
            </>
          )}
        </Deferred>
        <Deferred
          data={history}
          skeleton={<CardSkeleton className="h-64" />}
          failure={<RouteError message="Couldn’t load the history" />}
        >
          {(loaded) => <SettingHistory changes={loaded} />}
        </Deferred>
      </div>
    </Page>
  );
}
