/**
 * The name of the attempt to renew the session, which only this tab and the server know. Until the answer arrives, each try has the same name: the server
 * then repeats the answer, however late, and takes no other use of the token for it (decision 228). A phone may discard a page without a connection, so
 * the tab keeps the name.
 */
const key = "refreshAttempt";

export interface RefreshAttempt {
  readonly name: () => string;
  /** The server has answered: the next attempt gets another name. */
  readonly answered: () => void;
}

export function createRefreshAttempt(): RefreshAttempt {
  let name: string | null = null;
  return {
    name() {
      const known = (name ??= ofTab((storage) => storage.getItem(key)) ?? newName());
      ofTab((storage) => storage.setItem(key, known));
      return known;
    },
    answered() {
      name = null;
      ofTab((storage) => storage.removeItem(key));
    },
  };
}

/** Not `randomUUID`, which insecure pages lack. */
const newName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function ofTab<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    // Blocked or full: the name lasts as long as the page.
    return null;
  }
}
