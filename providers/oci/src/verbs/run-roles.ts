import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { checkStatements, StatementsFileError } from '../policies/check-statements.ts'
import { ociCapabilityTexts } from '../policies/needed-policies.ts'
import { controllerStatements, nodeStatements, policyReasons } from '../policies/policy-statements.ts'

export interface RolesOptions {
  readonly output: 'text' | 'json'
  readonly clusterId?: string
  readonly compartmentId?: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly nodeGroup: string
  readonly check?: string
}

const OCID = /^ocid1\.([a-z]+)\.oc\d+\.[A-Za-z0-9.-]*$/

/** @throws UsageError if the text is not an OCID of this kind */
const ocid = (flag: string, kind: string, value: string | undefined, placeholder: string): string => {
  if (value === undefined) return placeholder
  if (OCID.exec(value)?.[1] !== kind)
    throw new UsageError(
      `${flag} ${JSON.stringify(value)} must be the OCID of a ${kind}, such as ocid1.${kind}.oc1..aaaa`,
    )
  return value
}

const check = async (
  file: string,
  compartmentId: string | undefined,
  output: RolesOptions['output'],
  { stdout }: Pick<VerbStreams, 'stdout'>,
): Promise<0 | 3> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no such file' : String(error)
    throw new UsageError(`${file}: ${reason}; use a file with policy statements`)
  })
  const report = (() => {
    try {
      return checkStatements(text, compartmentId)
    } catch (error) {
      if (error instanceof StatementsFileError) throw new UsageError(`${file}: ${error.message}`, { cause: error })
      throw error
    }
  })()
  const { missing, limited, nodesCanJoin, unused } = report
  if (output === 'json') stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      [
        ...missing.map(({ action, capabilities, denied }) => ({
          missing: action,
          without: `${capabilities.map((name) => ociCapabilityTexts[name]).join('; ')}${denied ? ' (denied)' : ''}`,
        })),
        ...(nodesCanJoin ? [] : [{ missing: '{CLUSTER_JOIN}', without: 'let nodes join the cluster' }]),
      ],
      [
        { title: 'MISSING', value: ({ missing: action }) => action },
        { title: 'WITHOUT IT KERF CANNOT', value: ({ without }) => without },
      ],
      terminalWidth(stdout),
    )
    const lines = [
      ...(missing.length === 0 && nodesCanJoin ? ['Nothing is missing.'] : rows),
      ...(limited.length === 0 ? [] : ['', `Only in some compartments or under conditions: ${limited.join(', ')}`]),
      ...(unused.length === 0 ? [] : ['', 'Never used:', ...unused]),
    ]
    stdout.write(`${lines.join('\n')}\n`)
  }
  return missing.length === 0 && nodesCanJoin ? 0 : 3
}

/**
 * Runs `kerf oci roles`: prints the policy of the controller and of the nodes, which are generated from the API calls in Kerf's code. With
 * `--check`, prints the policies that are missing from the statements in a file. The exit code is then 3 if any are missing. Does not call
 * the cloud.
 *
 * @throws UsageError for an invalid flag or file
 */
export const runRoles = async (
  { output, check: file, namespace, serviceAccount, nodeGroup, ...ids }: RolesOptions,
  { stdout }: Pick<VerbStreams, 'stdout'>,
): Promise<0 | 3> => {
  const compartmentId = ocid('--compartment-id', 'compartment', ids.compartmentId, 'COMPARTMENT_OCID')
  if (file !== undefined)
    return check(file, ids.compartmentId === undefined ? undefined : compartmentId, output, { stdout })
  const clusterId = ocid('--cluster-id', 'cluster', ids.clusterId, 'CLUSTER_OCID')
  const controller = controllerStatements({ namespace, serviceAccount, clusterId, compartmentId })
  const nodes = nodeStatements({ compartmentId }, nodeGroup)
  if (output === 'json') {
    stdout.write(`${JSON.stringify({ controller, nodes }, null, 2)}\n`)
    return 0
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
  return 0
}
