import { coreEvents } from '@kerf/apis'
import {
  type Blocker,
  blockerCatalogue,
  blockerRemedy,
  blockerSentence,
  detailTexts,
  reasonCatalogue,
  type ReasonCode,
  reasonSentence,
  remedyTexts,
} from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { placeholderNames } from './reason-template.ts'
import {
  blockerRemedyText,
  blockerText,
  constraintText,
  eventText,
  reasonText,
  remedyText,
  translatedReasons,
} from './reasons.ts'

const languages = ['uk', 'zh'] as const
type Details = Readonly<Record<string, string>>

/** Returns a value for each detail. A sentence contains such a value only if it prints the detail. */
const marked = (names: readonly string[]): Details => Object.fromEntries(names.map((name) => [name, `‹${name}›`]))
const marks = (text: string): readonly string[] => [...new Set(text.match(/‹\w+›/g))].sort()

const codes = Object.keys(reasonCatalogue) as readonly ReasonCode[]
/** For each code, one test case with all details, and one test case for each detail in which this detail is missing. */
const cases = codes.flatMap((code) => {
  const { publicDetails, ownDetails } = reasonCatalogue[code]
  const all = [...publicDetails, ...ownDetails].filter((name) => name !== 'offered' && name !== 'left')
  const sets = [all, ...all.map((absent) => all.filter((name) => name !== absent))]
  return sets.map((names) => ({ code, detail: marked(names) }))
})

/**
 * Values that a translation does not have to print, because they only choose between sentences or the language needs no
 * word for them.
 */
const NOT_PRINTED: ReadonlySet<string> = new Set(['‹elsewhere›', '‹maxSkew›', '‹zone›'])
const printed = (text: string): readonly string[] => marks(text).filter((mark) => !NOT_PRINTED.has(mark))

/** The reasons of the Events that the dashboard shows: those about pods, nodes, NodeClaims and NodePools. */
const shownEvents = Object.entries(coreEvents)
  .filter(([, { about }]) =>
    about.some((kind) => ['Pod', 'Node', 'NodeClaim', 'NodePool', 'any object that Kerf reads'].includes(kind)),
  )
  .map(([reason]) => reason)

describe.each(languages)('reasons in %s', (language) => {
  const catalogue = translatedReasons[language] ?? {}

  test('every reason prints the same values as in English', () => {
    for (const { code, detail } of cases) {
      // Skip two cases: the sentence about the cheapest type has a different structure, and a shortage without an
      // amount does not occur.
      if (code === 'price.cheapest' || (code === 'resources.exceeded' && detail['short'] === undefined)) continue
      const reason = { code, subject: 'nodepool/p', detail }
      const [english, text] = [reasonSentence(reason), reasonText(reason, language)]
      expect([code, detail, printed(text)]).toEqual([code, detail, printed(english)])
      expect([code, text.includes('{{') || text.includes('[[')]).toEqual([code, false])
      expect([code, text === english]).toEqual([code, false])
    }
  })

  test('a resource that no type has is not a shortage', () => {
    const detail = {
      resource: 'x/gpu',
      requested: '8',
      short: '8',
      available: '0',
      largest: 'big',
      isAbsent: true,
      offered: 3,
      left: 3,
    }
    const absent = reasonText({ code: 'resources.exceeded', subject: '', detail }, language)
    expect(absent).toContain('x/gpu')
    expect(absent).not.toContain('big')
    // Daemons use the whole capacity.
    const used = reasonText(
      { code: 'resources.exceeded', subject: '', detail: { ...detail, isAbsent: false } },
      language,
    )
    expect(used).toContain('big')
    const left = reasonText({ code: 'resources.exceeded', subject: '', detail: { ...detail, left: 2 } }, language)
    expect(left).not.toBe(absent)
    const short = { resource: 'cpu', requested: '2', short: '500m', available: '1500m', largest: 'big' }
    const text = reasonText({ code: 'resources.exceeded', subject: '', detail: short }, language)
    expect([text.includes('0.5'), text.includes('big')]).toEqual([true, true])
  })

  test('the catalogue has exactly the reasons, blockers and remedies of the engine, and the Events that the pages show', () => {
    const known = Object.keys(catalogue).filter((key) => !key.startsWith('phrase.'))
    const expected = [
      ...codes.map((code) => `reason.${code}`),
      ...samples.map(({ code }) => `blocker.${code}`),
      ...samples.filter((each) => blockerRemedy(each) !== undefined).map(({ code }) => `remedy.${code}`),
      ...shownEvents.map((reason) => `event.${reason}`),
    ]
    expect(known.sort()).toEqual([...new Set(expected)].sort())
  })

  test('the meaning of an Event comes before its English message', () => {
    const message = 'Pod should schedule on: nodeclaim/a'
    for (const reason of shownEvents) {
      const text = eventText({ reason, message }, language)
      const isTranslated = /[\p{Script=Cyrillic}\p{Script=Han}]/u.test(text)
      expect([reason, text.endsWith(`: ${message}`), isTranslated]).toEqual([reason, true, true])
    }
    expect(eventText({ reason: 'Nominated', message: '' }, language)).not.toMatch(/: $/)
    expect(eventText({ reason: 'OfTomorrow', message }, language)).toBe(message)
    expect(eventText({ reason: 'constructor', message }, language)).toBe(message)
    expect(eventText({ reason: 'Nominated', message }, 'en')).toBe(message)
  })

  test('every blocker and its remedy name the same objects and amounts as in English', () => {
    for (const blocker of samples) {
      const english = `${blockerSentence(blocker)} ${blockerRemedy(blocker) ?? ''}`
      const text = `${blockerText(blocker, language)} ${blockerRemedyText(blocker, language)}`
      const missing = values(blocker).filter((value) => english.includes(value) && !text.includes(value))
      expect([blocker.code, missing]).toEqual([blocker.code, []])
      expect([blocker.code, text.includes('{{') || text.includes('[[')]).toEqual([blocker.code, false])
    }
  })

  test('remedies and fixed details are translated', () => {
    const english = [
      remedyTexts.tolerate('gpu=true:NoSchedule'),
      remedyTexts.lowerRequest('cpu', '2'),
      remedyTexts.raiseLimit('general'),
      remedyTexts.raiseSkew('zone', 3),
      remedyTexts.raiseCeiling('spec.ceilings.resources["nvidia.com/gpu"]', '8'),
      remedyTexts.raiseCeilings('spec.ceilings.nodes: 3, spec.ceilings.usdPerHour: 1.5'),
      remedyTexts.removeCeiling('spec.ceilings.usdPerHour'),
      remedyTexts.wake('general', 'Mon 07:00 Europe/Berlin'),
      remedyTexts.labelNamespace('ml', 'team=a,tier in (x,y)', 'general'),
      remedyTexts.setScheduler('volcano', 'general'),
      ...Object.values(detailTexts).filter((text) => typeof text === 'string'),
      ...Object.values(detailTexts.allResources),
      detailTexts.badLimit('cpu'),
      detailTexts.unreadable(new Error('x')),
      detailTexts.unreadableDevice('x'),
    ].filter(
      (text) =>
        ![detailTexts.affinity, detailTexts.antiAffinity, detailTexts.antiAffinityOfOthers].includes(text as never),
    )
    expect(english.filter((text) => remedyText({ text }, language) === text)).toEqual([])
    expect(remedyText({ text: remedyTexts.lowerRequest('cpu', '2') }, language)).toMatch(/cpu.*2/)
    expect(remedyText({ text: 'nodeSelector disk=nvme' }, language)).toBe('nodeSelector disk=nvme')
  })

  test('no translation is unused', () => {
    const used = new Set(['phrase', 'reason', 'blocker', 'remedy', 'event'])
    expect(Object.keys(catalogue).filter((key) => !used.has(key.split('.')[0] ?? ''))).toEqual([])
    expect(Object.entries(catalogue).filter(([, text]) => text === '')).toEqual([])
    const numbered = Object.entries(catalogue).filter(([, text]) =>
      placeholderNames(text).some((name) => /^\d/.test(name)),
    )
    expect(numbered.every(([key]) => key.startsWith('phrase.'))).toBe(true)
  })
})

test('English is the text of the engine', () => {
  const reason = { code: 'nodepool.limit', subject: 'nodepool/p', detail: { resource: 'cpu' } } as const
  expect(reasonText(reason, 'en')).toBe(reasonSentence(reason))
  for (const blocker of samples) {
    expect(blockerText(blocker, 'en')).toBe(blockerSentence(blocker))
    expect(blockerRemedyText(blocker, 'en')).toBe(blockerRemedy(blocker) ?? '')
  }
})

test('a reason that this version does not know is shown by its code', () => {
  const unknown = { code: 'future.reason' as ReasonCode, subject: '', detail: {} }
  expect(reasonText(unknown, 'uk')).toBe('future.reason')
})

/** One blocker of each code with all parameters, and further ones without the optional parameters. */
const samples: readonly Blocker[] = [
  { code: 'command.queued' },
  { code: 'node.unmanaged' },
  { code: 'node.unmanaged', group: 'group-a', shownBy: 'label x' },
  { code: 'claim.no-node' },
  { code: 'node.uninitialized' },
  { code: 'node.unreadable' },
  { code: 'node.deleting' },
  { code: 'node.nominated', until: 86_400_000 },
  { code: 'node.nominated', until: 86_400_000, pod: 'shop/cart' },
  { code: 'node.do-not-disrupt' },
  { code: 'node.no-pool-label' },
  { code: 'pool.not-found', pool: 'general' },
  { code: 'pool.paused', pool: 'general', owner: 'ann', until: 86_400_000 },
  { code: 'pod.do-not-disrupt', pod: 'shop/cart' },
  { code: 'pod.do-not-disrupt', pod: 'shop/cart', until: 86_400_000 },
  { code: 'pdb.blocks', pod: 'shop/cart', budget: 'shop/keep' },
  { code: 'pdb.several', pod: 'shop/cart', budgets: ['shop/keep', 'shop/hold'] },
  { code: 'pool.static', pool: 'general' },
  { code: 'pool.awake', pool: '‹pool›' },
  { code: 'pool.dynamic', pool: 'general' },
  { code: 'node.not-drifted' },
  { code: 'node.not-empty', pods: 17 },
  { code: 'node.empty' },
  { code: 'node.not-consolidatable' },
  { code: 'node.not-consolidatable', until: 86_400_000 },
  { code: 'node.buffer-pods', node: 'node-a' },
  { code: 'pool.consolidation-off', pool: 'general' },
  { code: 'pool.only-when-empty', pool: 'general' },
  { code: 'type.unknown', type: 'm9.large' },
  { code: 'price.unknown', type: 'm9.large' },
  { code: 'label.missing', label: 'zone-label' },
  { code: 'budget.exhausted', pool: 'general', reason: 'Drifted', allowed: 17, disrupting: 18, budgets: [2] },
  {
    ...{ code: 'budget.exhausted', pool: 'general', reason: 'Drifted', allowed: 0, disrupting: 18, budgets: [] },
    opensAt: 86_400_000,
  },
  {
    ...{ code: 'budget.exhausted', pool: 'general', reason: 'Drifted', allowed: 0, disrupting: 0, budgets: [1, 3] },
    error: 'no such day',
  },
  { code: 'pools.none' },
  {
    code: 'pods.unschedulable',
    pods: [
      { pod: 'shop/cart', why: '', reasons: [{ code: 'nodepool.limit', subject: 'nodepool/p', detail: {} }] },
      { pod: 'shop/wait', why: 'waits for a node', waitsFor: 'waits for a node' },
    ],
  },
  { code: 'replacement.ceiling' },
  { code: 'replacements.too-many', count: 17 },
  { code: 'replacements.uncertain', type: 'm9.large' },
  { code: 'node.prepaid', commitment: 'reserved' },
  { code: 'price.not-cheaper', price: 0.5 },
  { code: 'price.not-cheaper', price: 0.5, closest: 0.625 },
  { code: 'min-values.unmet', keys: [{ key: 'zone-label', count: 17 }], types: 18 },
  { code: 'spot.disabled' },
  { code: 'spot.too-few-types', types: 17, needed: 18 },
  { code: 'moves.undone', pools: ['general', 'batch'], until: 86_400_000 },
  { code: 'score.too-low', pool: 'general', score: 0.25, threshold: 0.75 },
  { code: 'deadline.unreadable', problem: 'not a time' },
  { code: 'pods.leaving', pods: ['shop/cart', 'shop/wait'] },
  { code: 'volumes.attached' },
  { code: 'instance.ending' },
  { code: 'finalizers.foreign', kind: 'Node', name: 'node-a', finalizers: ['x.io/hold', 'y.io/hold'] },
]

test('there is a sample of every blocker', () => {
  expect([...new Set(samples.map(({ code }) => code))].sort()).toEqual(Object.keys(blockerCatalogue).sort())
})

/** Returns the values of a blocker as its sentences print them. */
const values = ({ code: _, ...parameters }: Blocker): readonly string[] =>
  Object.values(parameters).flatMap((value: unknown): readonly string[] => {
    if (value === 86_400_000) return ['1970-01-02T00:00:00Z']
    if (typeof value === 'number') return [Number.isInteger(value) ? String(value) : value.toFixed(4), value.toFixed(2)]
    if (typeof value === 'string') return [value]
    return Array.isArray(value) ? value.flatMap((each: unknown) => nested(each)) : []
  })
const nested = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [`budgets[${value}]`]
  return Object.values(value as object).filter((each): each is string => typeof each === 'string')
}

test('names of constraints are translated, except labels, resources and fields', () => {
  expect(constraintText('offerings', 'en')).toBe('offerings')
  expect(constraintText('offerings', 'uk')).toBe('пропозиції')
  expect(constraintText('spread over example.com/rack', 'zh')).toBe('按 example.com/rack 分布')
  expect(constraintText('example.com/rack in [a]', 'uk')).toBe('example.com/rack in [a]')
})
