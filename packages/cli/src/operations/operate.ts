import { DurationError, formatTime, karpenterKinds, type NodePool, parseDuration } from '@kerf/apis'
import { type OperationName, operationText, poolOperations, readOperation } from '@kerf/controllers'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { connect } from '../cluster/connect.ts'

export interface OperateOptions {
  readonly for?: string
  readonly owner?: string
  readonly reason?: string
  readonly kubeconfig?: string
  readonly context?: string
}

export interface OperateStreams {
  readonly stdout: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
}

const done: Readonly<Record<OperationName, string>> = {
  pause: 'no voluntary disruption',
  cordon: 'no launches',
  consolidate: 'consolidation without waiting',
}

const parseOperationTime = (text: string): number => {
  let duration: number
  try {
    duration = parseDuration(text)
  } catch (error) {
    if (!(error instanceof DurationError)) throw error
    throw new UsageError(`--for ${text}: not a duration such as 30m or 2h`)
  }
  if (duration <= 0) throw new UsageError(`--for ${text}: must be longer than 0`)
  return duration
}

const operationOwner = ({ owner }: OperateOptions, env: OperateStreams['env']): string => {
  const found = owner ?? env['USER'] ?? env['USERNAME'] ?? ''
  if (found === '') throw new UsageError('--owner: name the person responsible; the environment has no user name')
  return found
}

const endedBy = (pool: NodePool): string => {
  const running = Object.values(poolOperations).flatMap(({ annotation, condition }) => {
    const text = pool.metadata.annotations?.[annotation]
    if (text === undefined) return []
    const given = readOperation(text)
    return [given === undefined ? condition : `${condition}, requested by ${given.owner}`]
  })
  return running.length === 0 ? 'nothing to end' : `ended: ${running.join('; ')}`
}

/**
 * Sets or removes the annotations of one NodePool, or of all NodePools one after another, and prints the resulting state
 * (`docs/spec/coexistence.md#operations-for-a-while`).
 * @throws UsageError for invalid flags, before any request; CliError if the NodePool does not exist, or if there are no NodePools
 */
export const operate = async (
  operation: OperationName | 'resume',
  wanted: string | undefined,
  options: OperateOptions,
  { stdout, env }: OperateStreams,
): Promise<void> => {
  const asked =
    operation === 'resume'
      ? undefined
      : { lasts: parseOperationTime(options.for ?? '1h'), owner: operationOwner(options, env) }
  const { client, clock } = connect({ env, kubeconfig: options.kubeconfig, context: options.context })
  try {
    const all = (await client.list(karpenterKinds.NodePool)).items
    const pools = all.filter(({ metadata }) => wanted === undefined || metadata.name === wanted)
    if (pools.length === 0) {
      const known = all.map(({ metadata }) => metadata.name).join(', ')
      throw new CliError(
        wanted === undefined || known === ''
          ? 'the cluster has no NodePool'
          : `no NodePool is named ${wanted}; existing NodePools: ${known}`,
      )
    }
    for (const pool of pools) {
      const { name } = pool.metadata
      if (operation === 'resume' || asked === undefined) {
        const keys = Object.values(poolOperations).map(({ annotation }) => [annotation, null])
        const body = { metadata: { annotations: Object.fromEntries(keys) } }
        await client.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body })
        stdout.write(`NodePool ${name}: ${endedBy(pool)}\n`)
        continue
      }
      const until = Math.ceil((clock.now() + asked.lasts) / 1000) * 1000
      const text = operationText({ until, owner: asked.owner, reason: options.reason ?? '' })
      const body = { metadata: { annotations: { [poolOperations[operation].annotation]: text } } }
      await client.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body })
      stdout.write(`NodePool ${name}: ${done[operation]} until ${formatTime(until)}, by ${asked.owner}\n`)
    }
  } finally {
    await client.close()
  }
}
