import { posix } from 'node:path'
import { lineAt, type SourceFile } from './source-files.ts'

/**
 * Private words for things that have an established name in Kubernetes or Karpenter. The value is the established name. Identifiers must
 * use it. Prose may use the private word if ordinary English needs it.
 */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  answer: 'response, result',
  answers: 'responses, results',
  assortment: 'instance type options',
  catalogue: 'instance types',
  chance: 'randomness',
  departure: 'disruption, deletion',
  departures: 'disruptions, deletions',
  doing: 'action',
  goes: 'disrupted',
  heal: 'recover',
  heals: 'recovers',
  keeper: 'node to keep',
  keepers: 'nodes to keep',
  look: 'pass',
  looks: 'passes',
  machine: 'instance, node',
  machines: 'instances, nodes',
  marks: 'what is marked, and as what',
  patience: 'timeout',
  pieces: 'replicas',
  rights: 'permissions',
  room: 'free, allocatable',
  round: 'pass, cycle',
  rounds: 'passes, cycles',
  shelf: 'instance type options',
  span: 'duration',
  stays: 'kept',
  standing: 'existing, status',
  strike: 'inject',
  tell: 'report, run',
  tells: 'reports',
  told: 'reported',
  trouble: 'fault',
  troubles: 'faults',
  wish: 'preference',
  wishes: 'preferences',
}

/** Names that may use a private word. */
const ALLOWED: ReadonlySet<string> = new Set([
  // In ordinary English, a list of codes may be called a catalogue.
  'blockerCatalogue',
  'blocker-catalogue',
  'errorCatalogue',
  'reasonCatalogue',
  'reason-catalogue',
  // Names of resource kinds in Cluster API.
  'Machine',
  'MachineDeployment',
  // The name for files of instance types in recorded scenarios.
  'CatalogueEntry',
])

/**
 * Words that are allowed below a path because they are established there. For example, a cloud's instances may be called machines; its
 * package.json lists such words in `ownWords`.
 */
export interface OwnWords {
  readonly below: string
  readonly words: readonly string[]
}

const partsOf = (name: string): readonly string[] => name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []

const oldWordIn = (place: string, name: string, ownWords: readonly OwnWords[]): string | undefined =>
  ALLOWED.has(name)
    ? undefined
    : partsOf(name).find(
        (part) =>
          Object.hasOwn(FIELD_WORDS, part.toLowerCase()) &&
          !ownWords.some(({ below, words }) => place.startsWith(below) && words.includes(part.toLowerCase())),
      )

const complaint = (
  place: string,
  what: string,
  name: string,
  ownWords: readonly OwnWords[] = [],
): readonly string[] => {
  const word = oldWordIn(place, name, ownWords)
  return word === undefined
    ? []
    : [
        `${place} ${what} ${name}: "${word.toLowerCase()}" is not a word of the field, use ${FIELD_WORDS[word.toLowerCase()]}`,
      ]
}

const EXPORTED =
  /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z0-9_]+)/gm
const FLAG = /'(?:-\w, )?(--[a-z][a-z-]*)/g

const pathBase = (path: string): string => posix.basename(path).replace(/(\.[a-z]+)*\.tsx?$/, '')

/** Returns one line for each exported name, file name and flag that uses a private word. */
export const wordProblems = (files: readonly SourceFile[], ownWords: readonly OwnWords[] = []): readonly string[] =>
  files.flatMap(({ path, text }) => [
    ...complaint(path, 'the file name', pathBase(path), ownWords),
    ...[...text.matchAll(EXPORTED)].flatMap((match) =>
      complaint(`${path}:${lineAt(text, match.index)}`, 'the export', match[1] ?? '', ownWords),
    ),
    ...(path.startsWith('packages/cli/src/') && !path.endsWith('.test.ts')
      ? [...text.matchAll(FLAG)].flatMap((match) =>
          complaint(`${path}:${lineAt(text, match.index)}`, 'the flag', match[1] ?? '', ownWords),
        )
      : []),
  ])

/** Returns the keys in a message catalogue that use a private word. */
export const messageKeyProblems = (path: string, messages: object): readonly string[] =>
  Object.entries(messages).flatMap(([key, value]: readonly [string, unknown]) => [
    ...complaint(path, 'the message key', key),
    ...(typeof value === 'object' && value !== null ? messageKeyProblems(path, value) : []),
  ])
