// Settings and games in the local storage of the browser. The page works without it too (private windows).

export function stored<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(`endmill.${key}`);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** The stored value if it is allowed, else the default. */
export function storedOneOf<T extends string>(key: string, allowed: readonly T[], otherwise: T): T {
  const value = stored<T>(key);
  return value !== null && allowed.includes(value) ? value : otherwise;
}

export function store(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`endmill.${key}`);
    else localStorage.setItem(`endmill.${key}`, JSON.stringify(value));
  } catch {
    // The storage is full or disabled.
  }
}
