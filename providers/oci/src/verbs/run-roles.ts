import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { controllerStatements, nodeStatements, policyReasons } from '../policies/policy-statements.ts'

export interface RolesOptions {
  readonly output: 'text' | 'json'
  readonly clusterId?: string
  readonly compartmentId?: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly nodeGroup: string
}

const OCID = /^ocid1\.([a-z]+)\.oc\d+\.[A-Za-z0-9.-]*$/

/** @throws UsageError for a text that is not an OCID of this kind */
const ocid = (flag: string, kind: string, value: string | undefined, placeholder: string): string => {
  if (value === undefined) return placeholder
  if (OCID.exec(value)?.[1] !== kind)
    throw new UsageError(
      `${flag} ${JSON.stringify(value)} must be the OCID of a ${kind}, such as ocid1.${kind}.oc1..aaaa`,
    )
  return value
}

/**
 * Runs `kerf oci roles`: prints the policy of the controller and of the nodes, generated from the calls that Kerf makes. Calls no cloud.
 *
 * @throws UsageError for an invalid flag
 */
export const runRoles = (
  { output, namespace, serviceAccount, nodeGroup, ...ids }: RolesOptions,
  { stdout }: Pick<VerbStreams, 'stdout'>,
): void => {
  const compartmentId = ocid('--compartment-id', 'compartment', ids.compartmentId, 'COMPARTMENT_OCID')
  const clusterId = ocid('--cluster-id', 'cluster', ids.clusterId, 'CLUSTER_OCID')
  const controller = controllerStatements({ namespace, serviceAccount, clusterId, compartmentId })
  const nodes = nodeStatements({ compartmentId }, nodeGroup)
  if (output === 'json') {
    stdout.write(`${JSON.stringify({ controller, nodes }, null, 2)}\n`)
    return
  }
  const reasons = policyReasons().map(([resource, reason]) => `#   ${resource}: ${reason}`)
  const lines = [
    '# Policy of the controller:',
    ...reasons,
    ...controller,
    '',
    `# Matching rule of the dynamic group ${nodeGroup} of the nodes:`,
    nodes.matchingRule,
    '',
    '# Policy of the nodes:',
    nodes.statement,
  ]
  stdout.write(`${lines.join('\n')}\n`)
}
