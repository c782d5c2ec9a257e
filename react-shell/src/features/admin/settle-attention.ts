import { serverSentence } from "../../shared/api-client";
import { done, failed, type Outcome } from "../../shared/outcome";
import { settleAttention } from "./api";

/** Takes something off the list of what a person has to look at. */
export async function settle(id: string): Promise<Outcome> {
  try {
    await settleAttention(id);
    return done("It is marked as dealt with.");
  } catch (error) {
    return failed(serverSentence(error, "Failed to save changes"));
  }
}
