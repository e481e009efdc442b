/** For tests: a session on a new device. Its calls have no answer, its modules are real, and an error fails the test. */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { memoryStore } from "#web/device/storage.ts";
import { fakeApi } from "#web/session/fakeApi.ts";
import { createSession, type Session, type SessionParts, type Snapshot } from "#web/session/session.ts";

/** @param parts replacements */
export function testSession(compiled: CompiledQuestionnaire, rendered: Snapshot, parts: Partial<SessionParts> = {}): Session {
  const nothing = () => {};
  return createSession(compiled, rendered, {
    store: memoryStore(),
    stored: null,
    laterAnswers: [],
    api: fakeApi({}),
    track: nothing,
    goTo: nothing,
    goHome: nothing,
    release: "0123456789ab",
    leaveFor: nothing,
    isOfVersion: () => true,
    leaveTo: nothing,
    now: () => new Date("2026-11-20T10:00:00Z"),
    report: (error) => {
      throw error;
    },
    submitting: () => import("#web/session/submit.ts"),
    saving: () => import("#web/session/saving.ts"),
    context: rendered.context,
    ...parts,
  });
}
