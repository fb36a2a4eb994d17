/** The resources that a test process holds at one time. */
export interface Holdings {
  /** The commands of the process's child processes, by process id. */
  readonly processes: ReadonlyMap<number, string>
  /** The kinds of the open resources that keep the process alive, from `process.getActiveResourcesInfo`. */
  readonly resources: readonly string[]
  /** The file names in the temporary folder of the process. */
  readonly files: readonly string[]
}

/**
 * Descriptions of the resources that a test can forget to close. Standard streams have none, and neither have resources that end without
 * being closed, such as requests.
 */
const WORDS: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  TCPServerWrap: 'a server that listens on a port',
  UDPWrap: 'a UDP socket',
  ProcessWrap: 'a child process',
  FSEventWrap: 'a watcher of files',
  StatWatcher: 'a watcher of files',
  MessagePort: 'a worker thread or message port',
}

const COMMAND_LENGTH = 160
const shortened = (text: string): string =>
  text.length <= COMMAND_LENGTH ? text : `${text.slice(0, COMMAND_LENGTH - 1)}…`

const counts = (names: readonly string[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1)
  return found
}

const resourceLeftovers = (before: readonly string[], after: readonly string[]): readonly string[] => {
  const had = counts(before)
  return [...counts(after)].flatMap(([name, count]) => {
    const more = count - (had.get(name) ?? 0)
    const words = WORDS[name]
    if (words === undefined || more <= 0) return []
    return [more === 1 ? words : `${words}, ${more} times`]
  })
}

/** Returns a description of each resource that is held after a test file but was not held before it. */
export const leftovers = (before: Holdings, after: Holdings): readonly string[] => [
  ...[...after.processes]
    .filter(([id]) => !before.processes.has(id))
    .map(([id, command]) => `a process that still runs (${id}): ${shortened(command)}`),
  ...resourceLeftovers(before.resources, after.resources),
  ...after.files
    .filter((name) => !before.files.includes(name))
    .map((name) => `a file or folder in the temporary folder: ${name}`),
]

/** Returns the message for a test file that left resources behind. */
export const leftoversMessage = (file: string, found: readonly string[], details: readonly string[]): string =>
  [
    `${file} leaves something behind. Close, stop or remove it in the test or in a hook:`,
    ...found.map((each) => `  ${each}`),
    ...details.map((each) => `  (${each})`),
  ].join('\n')
