import type { Filter, Instance } from '@aws-sdk/client-ec2'
import { ownValue } from '@kerf/apis'
import { Batcher, concernOf, idBatches } from '@kerf/provider-kit'
import type { Clock, Metrics } from '@kerf/runtime'
import { type Ec2Api, filterOf, tagsOf } from '../api/aws-api.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'

/** The states of instances that exist or are terminating. EC2 lists terminated instances for another hour. */
export const LIVE_STATES: Filter = filterOf(
  'instance-state-name',
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
)

/** Every state: with a filter a call counts against the greater of EC2's token buckets. */
const ANY_STATE: Filter = filterOf('instance-state-name', ...(LIVE_STATES.Values ?? []), 'terminated')

const WINDOW = { idle: 100, max: 1_000, items: 500 } as const

/** A code of EC2 that says that it knows no such instance; of an id that it calls malformed there can be none. */
const isUnknown = (error: unknown): boolean => {
  const failure = awsFailureOf(error)
  return failure.class === 'not-found' || failure.code === 'InvalidInstanceID.Malformed'
}

/**
 * EC2 refuses a call as a whole for one instance that is protected, unknown or not permitted (API reference,
 * TerminateInstances and DescribeInstances).
 */
const refusals = {
  isUnknown,
  concernOf: (error: unknown) => concernOf(awsFailureOf(error).class),
}

/**
 * Descriptions of instances by id, many to a call, in whatever state they are. The answer is `undefined` for one that EC2
 * does not know: not any more, or not yet.
 */
export const describeBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, Instance | undefined> => {
  const describe = async (
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Instance | undefined>> => {
    const instances = await ec2.describeInstances({ ids, filters: [ANY_STATE] }, signal)
    return new Map(
      instances.flatMap((instance) => (instance.InstanceId === undefined ? [] : [[instance.InstanceId, instance]])),
    )
  }
  return idBatches({
    ...parts,
    ...WINDOW,
    ...refusals,
    name: 'describe_instances',
    call: describe,
    silent: () => ({ ok: true, value: undefined }),
    unknown: undefined,
  })
}

/** How many values EC2 takes in one filter (Amazon EC2 User Guide, "Filter your Amazon EC2 resources"). */
const MOST_VALUES = 200

/** What a value of a filter stands for: `*` is any text, `?` any character. */
const patternOf = (value: string): RegExp =>
  new RegExp(
    `^${value
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

/** A question for instances whose tag has one of the values: one of its own, and one that all questions may share. */
export interface TagQuestion {
  readonly tag: string
  readonly value: string
  readonly shared: string
}

/** Look-ups of live instances by the value of a tag, many to a call. Each is answered with those that match its values. */
export const taggedBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
  own: readonly Filter[],
): Batcher<TagQuestion, readonly Instance[]> =>
  new Batcher<TagQuestion, readonly Instance[]>({
    ...parts,
    ...WINDOW,
    items: MOST_VALUES - 1,
    name: 'describe_tagged_instances',
    bucketOf: ({ tag, shared }) => JSON.stringify([tag, shared]),
    send: async (questions, signal) => {
      const tag = questions[0]?.tag ?? ''
      const values = [...new Set(questions.flatMap(({ value, shared }) => [shared, value]))]
      const filters = [...own, filterOf(`tag:${tag}`, ...values), LIVE_STATES]
      const instances = await ec2.describeInstances({ filters }, signal)
      const tagged = instances.map((instance) => ({ instance, text: ownValue(tagsOf(instance.Tags), tag) ?? '' }))
      const matching = new Map(
        values.map((value) => {
          const pattern = patternOf(value)
          return [value, tagged.flatMap(({ instance, text }) => (pattern.test(text) ? [instance] : []))]
        }),
      )
      return questions.map(({ value, shared }) => ({
        ok: true,
        value: [...new Set([...(matching.get(value) ?? []), ...(matching.get(shared) ?? [])])],
      }))
    },
  })

const ENDING: ReadonlySet<string | undefined> = new Set(['shutting-down', 'terminated'])

/** Orders to end instances, many to a call. The answer is `false` for one that EC2 does not know. */
export const terminateBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, boolean> => {
  const terminate = async (ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, boolean>> => {
    const changes = await ec2.terminateInstances(ids, signal)
    const ended = changes.filter(({ CurrentState }) => ENDING.has(CurrentState?.Name))
    return new Map(ended.flatMap(({ InstanceId }) => (InstanceId === undefined ? [] : [[InstanceId, true] as const])))
  }
  return idBatches({
    ...parts,
    ...WINDOW,
    ...refusals,
    name: 'terminate_instances',
    call: terminate,
    silent: (id) => ({ ok: false, error: new Error(`EC2 did not say that instance ${id} is ending`) }),
    unknown: false,
  })
}
