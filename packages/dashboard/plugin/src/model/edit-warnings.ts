import { type NodePool, validateNodeOverlay, validateNodePool } from '@kerf/apis'
import { CronWindow, LabelRules } from '@kerf/engine'
import { parseAmount } from './amounts.ts'
import type { FieldProblem } from './metadata-problems.ts'
import { at, errorMessage, type Fields, fieldsAt, listAt, numberAt, textAt } from './read.ts'
import { seenVocabulary } from './vocabulary.ts'

/** The largest value of a quantity (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/). */
const LARGEST_QUANTITY = 2n ** 63n - 1n
const UNITS = 1_000_000_000n

/**
 * This vocabulary contains no label values of providers, so the browser does not check the values of providers' labels.
 */
const vocabulary = seenVocabulary([])

const ONLY_THE_PROVIDER_KNOWS = /restricted/

const scheduleWarnings = (pool: unknown): readonly FieldProblem[] =>
  listAt(pool, 'spec', 'disruption', 'budgets').flatMap((budget, index): readonly FieldProblem[] => {
    const schedule = textAt(budget, 'schedule')
    if (schedule === undefined) return []
    const field = `spec.disruption.budgets[${index}].schedule`
    try {
      // A window without a duration is active only if its schedule never occurs, because Karpenter then treats it as always active.
      return new CronWindow(schedule, 0).isActive(0)
        ? [{ field, message: `${schedule} never comes, so the budget applies always` }]
        : []
    } catch (error) {
      return [{ field, message: errorMessage(error) }]
    }
  })

const limitWarnings = (pool: unknown): readonly FieldProblem[] =>
  Object.entries(fieldsAt(pool, 'spec', 'limits')).flatMap(([name, value]): readonly FieldProblem[] => {
    const amount = parseAmount(value)
    return amount !== undefined && amount / UNITS >= LARGEST_QUANTITY
      ? [
          {
            field: `spec.limits["${name}"]`,
            message: `more than ${LARGEST_QUANTITY}, the most that Kubernetes counts: this limits nothing`,
          },
        ]
      : []
  })

/**
 * Returns the contradictions between requirements with the same key. Each is reported at the last of these
 * requirements.
 */
const contradictions = (requirements: readonly unknown[], field: string): readonly FieldProblem[] => {
  const rules = new LabelRules(vocabulary)
  const last = new Map<string, number>()
  requirements.forEach((each, index) => last.set(rules.keyOf(textAt(each, 'key') ?? ''), index))
  const specsOf = (key: string) => requirements.filter((each) => rules.keyOf(textAt(each, 'key') ?? '') === key)
  return [...last].flatMap(([key, index]): readonly FieldProblem[] => {
    const specs = specsOf(key)
    if (specs.length < 2 || specs.some((each) => textAt(each, 'operator') === 'DoesNotExist')) return []
    const together = rules.requirements(specs as never).get(key)
    return together.operator === 'DoesNotExist'
      ? [{ field: `${field}[${index}]`, message: `no value of ${key} meets all of its ${specs.length} requirements` }]
      : []
  })
}

interface Parts {
  readonly requirements?: readonly unknown[]
  readonly taints?: readonly unknown[]
  readonly labels?: Fields
}

/**
 * Returns a NodePool whose template contains only the given part, so that every problem found in it is about this part.
 */
const onlyWith = ({ requirements = [], taints = [], labels = {} }: Parts): Pick<NodePool, 'spec'> =>
  ({ spec: { template: { metadata: { labels }, spec: { requirements, taints } } } } as unknown as NodePool)

const findings = (field: string, pool: Pick<NodePool, 'spec'>): readonly FieldProblem[] => {
  const { errors, warnings } = validateNodePool(pool, vocabulary)
  return [...errors, ...warnings]
    .filter((message) => !ONLY_THE_PROVIDER_KNOWS.test(message))
    .map((message) => ({ field, message }))
}

const poolWarnings = (pool: unknown): readonly FieldProblem[] => {
  const template = 'spec.template'
  const requirements = listAt(pool, 'spec', 'template', 'spec', 'requirements')
  const taints = (name: 'taints' | 'startupTaints') =>
    listAt(pool, 'spec', 'template', 'spec', name).flatMap((taint, index) =>
      findings(`${template}.spec.${name}[${index}]`, onlyWith({ taints: [taint] })),
    )
  return [
    ...scheduleWarnings(pool),
    ...limitWarnings(pool),
    ...contradictions(requirements, `${template}.spec.requirements`),
    ...requirements.flatMap((each, index) =>
      findings(`${template}.spec.requirements[${index}]`, onlyWith({ requirements: [each] })),
    ),
    ...taints('taints'),
    ...taints('startupTaints'),
    ...Object.entries(fieldsAt(pool, 'spec', 'template', 'metadata', 'labels')).flatMap(([key, value]) =>
      findings(`${template}.metadata.labels["${key}"]`, onlyWith({ labels: { [key]: value } })),
    ),
  ]
}

const overlayWarnings = (overlay: unknown): readonly FieldProblem[] => {
  const requirements = listAt(overlay, 'spec', 'requirements')
  return [
    ...contradictions(requirements, 'spec.requirements'),
    ...requirements.flatMap((each, index) =>
      validateNodeOverlay(
        { spec: { requirements: [each], weight: numberAt(overlay, 'spec', 'weight') } as never },
        vocabulary,
      )
        .errors.filter((message) => !ONLY_THE_PROVIDER_KNOWS.test(message))
        .map((message) => ({ field: `spec.requirements[${index}]`, message })),
    ),
  ]
}

/**
 * Returns a problem for each value that an API server stores although a controller cannot use it: schedules that never occur, requirements
 * that no value meets, and limits that are too large to have an effect. The user can still save the object. Expects an object that is valid
 * by its schema.
 */
export const editWarnings = (object: unknown): readonly FieldProblem[] => {
  switch (at(object, 'kind')) {
    case 'NodePool':
      return poolWarnings(object)
    case 'NodeOverlay':
      return overlayWarnings(object)
    default:
      return []
  }
}
