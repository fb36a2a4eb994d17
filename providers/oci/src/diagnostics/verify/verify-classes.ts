import type { KubeObject } from '@kerf/apis'
import type { Step } from '@kerf/provider-kit'
import { type Clock, isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import type { OciApi } from '../../api/oci-api.ts'
import { versionReader } from '../../controllers/cluster-version.ts'
import { communitySteps } from '../../controllers/community-steps.ts'
import { oracleSteps } from '../../controllers/oracle-steps.ts'
import { definedTagKeys } from '../../instances/tags.ts'
import { communityNodeClassKind } from '../../node-class/community-node-class.ts'
import { oracleNodeClassKind } from '../../node-class/oracle-node-class.ts'
import type { Compartments } from '../../settings/oci-options.ts'
import { failed, passed, refused, type Subject, skipped, type TenancyFinding } from './finding.ts'

export interface ClassesDeps {
  readonly api: OciApi
  readonly clock: Clock
  readonly compartments: Compartments
  readonly tagNamespace: string
  readonly defaultIpCount: number
  /** The client of the cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
}

const CORRECT = 'correct the field that the message names'

/** Resolves one node class in the same way as the controller, without writing its status. */
const stepFindings = async <C extends KubeObject>(
  nodeClass: C,
  steps: readonly Step<C>[],
  signal: AbortSignal,
): Promise<readonly TenancyFinding[]> => {
  const findings: TenancyFinding[] = []
  for (const step of steps) {
    const object = `${nodeClass.kind} ${nodeClass.metadata.name}`
    const subject: Subject = { check: `${step.condition} would be True`, object }
    try {
      const { condition } = await step.run(nodeClass, signal)
      const message = condition?.message ?? ''
      findings.push(
        condition?.status === 'True'
          ? passed(subject, message === '' ? 'nothing is wrong' : message)
          : failed(subject, message, CORRECT),
      )
    } catch (error) {
      signal.throwIfAborted()
      findings.push(refused(subject, error, CORRECT))
    }
  }
  return findings
}

const ofKind = async (
  plural: string,
  read: () => Promise<readonly TenancyFinding[]>,
  signal: AbortSignal,
): Promise<readonly TenancyFinding[]> => {
  const subject: Subject = { check: 'the node classes can be resolved', object: plural }
  try {
    const found = await read()
    return found.length === 0 ? [skipped(subject, 'there are none yet')] : found
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return [skipped(subject, 'their CRD is not installed yet')]
    return [failed(subject, textOfThrown(error), 'check the kubeconfig and your read permissions')]
  }
}

/** Resolves the node classes of both kinds, without writing anything. */
export const classFindings = async (deps: ClassesDeps, signal: AbortSignal): Promise<readonly TenancyFinding[]> => {
  const { client, api, clock, compartments, tagNamespace, defaultIpCount } = deps
  if (client === undefined)
    return [skipped({ check: 'the node classes can be resolved', object: 'the cluster' }, 'no cluster was specified')]
  const clusterVersion = versionReader(client, clock)
  const community = ofKind(
    'ocinodeclasses.karpenter.k8s.oracle',
    async () => {
      const { items } = await client.list(communityNodeClassKind, { signal })
      const steps = communitySteps({ api, compartments, tagNamespace })
      const found = await Promise.all(items.map((each) => stepFindings(each, steps, signal)))
      if (items.length === 0) return []
      const tags: Subject = { check: `the tag namespace ${tagNamespace} has the keys of Kerf`, object: tagNamespace }
      const keys = Object.values(definedTagKeys).join(', ')
      return [...found.flat(), skipped(tags, `Kerf calls no API for it; the keys are ${keys}`)]
    },
    signal,
  )
  const oracle = ofKind(
    'ocinodeclasses.oci.oraclecloud.com',
    async () => {
      const { items } = await client.list(oracleNodeClassKind, { signal })
      const steps = oracleSteps({ api, compartments, defaultIpCount, clusterVersion })
      return (await Promise.all(items.map((each) => stepFindings(each, steps, signal)))).flat()
    },
    signal,
  )
  return (await Promise.all([oracle, community])).flat()
}
