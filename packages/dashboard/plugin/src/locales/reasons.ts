import { formatTime, ownValue } from '@kerf/apis'
import {
  type Blocker,
  blockerRemedy,
  blockerSentence,
  detailTexts,
  type Reason,
  type ReasonData,
  reasonSentence,
  type Remedy,
  shortage,
} from '@kerf/engine'
import { fillTemplate, type TemplateValues } from './reason-template.ts'
import type { Language } from './translate.ts'
import uk from './uk/reasons.json'
import zh from './zh/reasons.json'

/**
 * The engine's sentences in other languages. English comes from the engine itself. If a language lacks a sentence, for example of a newer
 * controller, the sentence stays English.
 */
const catalogues: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = { uk, zh }

/** Short English texts of the engine that are the values of details, and the keys of their translations. */
const PHRASES: Readonly<Record<string, string>> = {
  [detailTexts.noTypes]: 'noTypes',
  [detailTexts.noOffering]: 'noOffering',
  [detailTexts.allTypes]: 'allTypes',
  [detailTexts.deleting]: 'deleting',
  [detailTexts.notReady]: 'notReady',
  [detailTexts.noTemplate]: 'noTemplate',
  [detailTexts.ignoredDevices]: 'ignoredDevices',
  [detailTexts.unreadableDevices]: 'unreadableDevices',
  [detailTexts.nothingFound]: 'nothingFound',
  [detailTexts.millionCpu]: 'millionCpu',
  [detailTexts.allResources.resource]: 'everyResource',
  [detailTexts.allResources.short]: 'someAmount',
  [detailTexts.allResources.largest]: 'everyType',
  [detailTexts.severalLabels]: 'severalLabels',
  [detailTexts.onOtherNode]: 'onOtherNode',
  [detailTexts.devicesElsewhere]: 'devicesElsewhere',
  [detailTexts.allocatedElsewhere]: 'allocatedElsewhere',
  [detailTexts.noneOnNode]: 'noneOnNode',
}

/** The engine's short texts that contain values. The groups of each pattern are the values. */
const PATTERNS: readonly (readonly [key: string, pattern: RegExp])[] = [
  ['tolerate', /^tolerate the taint (.*)$/],
  ['lowerRequest', /^lower the request of (\S+) to (.*)$/],
  ['raiseLimit', /^raise the limits of NodePool (.*)$/],
  ['raiseCeiling', /^raise (spec\.ceilings\.\S+) of ClusterPolicy default to (.*)$/],
  ['raiseCeilings', /^raise several ceilings of ClusterPolicy default: (.*)$/],
  ['removeCeiling', /^remove (.*) from ClusterPolicy default$/],
  ['wake', /^wake NodePool (\S+), which sleeps until (.*), with its annotation (\S+)$/],
  ['labelNamespace', /^label namespace (\S+) to match (.*), which NodePool (\S+) requires$/],
  ['setScheduler', /^set spec\.schedulerName to (\S+), which NodePool (\S+) requires$/],
  ['raiseSkew', /^raise maxSkew of the spread over (\S+) to (.*)$/],
  ['badLimit', /^spec\.limits\.(.*) must be a quantity, for example "100" or "500m"$/],
  ['unreadable', /^it cannot be read: (.*)$/],
  ['unreadableDevice', /^a device cannot be read: (.*)$/],
]

/**
 * Keys of the translations for the constraints that are neither a label, a resource nor a field, by the engine's name
 * of the constraint.
 */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  offerings: 'stageOfferings',
  access: 'stageAccess',
  'limit on nodes': 'stageNodeLimit',
  limits: 'stageLimits',
  ceilings: 'stageCeilings',
  devices: 'stageDevices',
  topology: 'stageTopology',
  resources: 'stageResources',
}

/** The engine's names of constraints that contain a name or a requirement. */
const CONSTRAINT_PATTERNS: readonly (readonly [key: string, pattern: RegExp])[] = [
  ['stageVolumes', /^volumes: (.*)$/],
  ['stageSpread', /^spread over (.*)$/],
  ['stageAffinity', /^affinity over (.*)$/],
  ['stageAntiAffinity', /^anti-affinity over (.*)$/],
]

/** Returns the translation of one of the engine's short texts. Any other text, such as a name, is returned unchanged. */
const phrase = (
  text: string,
  catalogue: Readonly<Record<string, string>>,
  phrases = PHRASES,
  patterns = PATTERNS,
): string => {
  const fixed = ownValue(phrases, text)
  if (fixed !== undefined) return ownValue(catalogue, `phrase.${fixed}`) ?? text
  for (const [key, pattern] of patterns) {
    const [, ...values] = pattern.exec(text) ?? []
    const template = values.length === 0 ? undefined : ownValue(catalogue, `phrase.${key}`)
    if (template !== undefined)
      return fillTemplate(template, Object.fromEntries(values.map((value, place) => [String(place), value])))
  }
  return text
}

interface EventData {
  readonly reason: string
  readonly message: string
}

const flag = (isSet: boolean): string => (isSet ? 'true' : '')

const reasonValues = (reason: ReasonData, catalogue: Readonly<Record<string, string>>): TemplateValues => {
  const values = Object.fromEntries(
    Object.entries(reason.detail).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.join(', ') : phrase(String(value), catalogue),
    ]),
  )
  if (reason.code !== 'resources.exceeded') return values
  const { resource, short, largest, isAbsent, isOfPool } = shortage(reason)
  return {
    resource: phrase(resource, catalogue),
    short: isAbsent ? '' : phrase(short, catalogue),
    largest: phrase(largest, catalogue),
    ofPool: flag(isOfPool),
  }
}

/** Returns the engine's reason as a sentence in a language. */
export const reasonText = (reason: ReasonData, language: Language): string => {
  const catalogue = catalogues[language]
  const template = catalogue && ownValue(catalogue, `reason.${reason.code}`)
  if (catalogue === undefined || template === undefined) return reasonSentence(reason)
  const subject = reason.subject === '' ? '' : `${reason.subject}: `
  return `${subject}${fillTemplate(template, reasonValues(reason, catalogue))}`
}

/**
 * Returns the message of an Event of the autoscaler. Controllers write messages in English. For other languages, a translation of the
 * Event's reason precedes the message, if the reason is known.
 */
export const eventText = ({ reason, message }: EventData, language: Language): string => {
  const catalogue = catalogues[language]
  const meaning = catalogue && ownValue(catalogue, `event.${reason}`)
  return meaning === undefined ? message : message === '' ? meaning : `${meaning}: ${message}`
}

/** Returns the text of one change that would make a pod schedulable. The text of a constraint is not translated. */
export const remedyText = ({ text }: Pick<Remedy, 'text'>, language: Language): string => {
  const catalogue = catalogues[language]
  return catalogue === undefined ? text : phrase(text, catalogue)
}

/** The maximum number of objects that a sentence lists. */
const MOST_NAMED = 5
const TIMES: ReadonlySet<string> = new Set(['until', 'opensAt'])
const PRICES: ReadonlySet<string> = new Set(['price', 'closest'])

const first = (texts: readonly string[]): string =>
  `${texts.slice(0, MOST_NAMED).join(', ')}${texts.length > MOST_NAMED ? ` + ${texts.length - MOST_NAMED}` : ''}`

const numberText = (name: string, value: number): string => {
  if (TIMES.has(name)) return formatTime(value)
  if (PRICES.has(name)) return `$${value.toFixed(4)}`
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}

type Unplaced = Extract<Blocker, { readonly code: 'pods.unschedulable' }>['pods'][number]

const unplacedText = ({ pod, why, waitsFor, reasons = [] }: Unplaced, language: Language): string => {
  const own =
    waitsFor ?? (reasons.length === 0 ? why : first(reasons.map((reason: Reason) => reasonText(reason, language))))
  return `${pod} => ${own}`
}

const blockerValues = (blocker: Blocker, language: Language): TemplateValues => {
  switch (blocker.code) {
    case 'pods.unschedulable':
      return { pods: first(blocker.pods.map((each) => unplacedText(each, language))) }
    case 'min-values.unmet':
      return {
        keys: first(blocker.keys.map(({ key }) => key)),
        lowered: blocker.keys.map(({ key, count }) => `${key} → ${count}`).join(', '),
      }
    case 'budget.exhausted': {
      const { pool, reason, error = '', opensAt, allowed, disrupting, budgets } = blocker
      const places = budgets.map((index) => `spec.disruption.budgets[${index}]`).join(', ')
      return {
        ...{ pool, reason, error, allowed: String(allowed), disrupting: String(disrupting) },
        place: `${places || 'spec.disruption.budgets'} (NodePool ${pool})`,
        opensAt: opensAt === undefined ? '' : formatTime(opensAt),
        others: flag(allowed > 0),
      }
    }
    default:
      return Object.fromEntries(
        Object.entries(blocker).map(([name, value]: [string, unknown]) => {
          if (typeof value === 'number') return [name, numberText(name, value)]
          return [name, Array.isArray(value) ? first(value.map(String)) : String(value ?? '')]
        }),
      )
  }
}

/** Returns the text of a blocker in a language. */
export const blockerText = (blocker: Blocker, language: Language): string => {
  const catalogue = catalogues[language]
  const template = catalogue && ownValue(catalogue, `blocker.${blocker.code}`)
  return template === undefined ? blockerSentence(blocker) : fillTemplate(template, blockerValues(blocker, language))
}

/** Returns, in a language, how to remove a blocker. Empty if the blocker disappears without action by the user. */
export const blockerRemedyText = (blocker: Blocker, language: Language): string => {
  const catalogue = catalogues[language]
  const english = blockerRemedy(blocker)
  const template = catalogue && ownValue(catalogue, `remedy.${blocker.code}`)
  if (english === undefined || template === undefined) return english ?? ''
  return fillTemplate(template, blockerValues(blocker, language))
}

/** Returns the name of a constraint of a pod in a language. Labels, resources and fields are not translated. */
export const constraintText = (constraint: string, language: Language): string => {
  const catalogue = catalogues[language]
  return catalogue === undefined ? constraint : phrase(constraint, catalogue, CONSTRAINTS, CONSTRAINT_PATTERNS)
}

/** The languages with their own sentences, for tests. */
export const translatedReasons = catalogues
