import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { policyScope, type TargetOptions } from '../installation/install-target.ts'
import { checkPolicy, PolicyFileError } from '../policy/check.ts'
import { policyDocuments } from '../policy/documents.ts'
import { type Capability, capabilities } from '../policy/statement.ts'
import { optionalStatements, policyStatements } from '../policy/statements.ts'

export interface PolicyOptions extends Partial<TargetOptions> {
  readonly check?: string
  readonly capability: readonly string[]
  readonly output?: 'json' | 'table'
}

const isCapability = (name: string): name is Capability => Object.hasOwn(capabilities, name)

const readPolicy = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no such file' : String(error)
    throw new UsageError(`${file}: ${reason}; use a file with an IAM policy in JSON`)
  }
}

const capabilityPurposes = (names: readonly Capability[]): string => names.map((name) => capabilities[name]).join('; ')

const check = async (
  file: string,
  output: 'json' | 'table',
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
): Promise<0 | 3> => {
  const text = await readPolicy(file)
  const report = (() => {
    try {
      return checkPolicy(text)
    } catch (error) {
      if (error instanceof PolicyFileError) throw new UsageError(`${file}: ${error.message}`, { cause: error })
      throw error
    }
  })()
  if (output === 'json') streams.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      report.missing,
      [
        { title: 'MISSING', value: ({ action }) => action },
        { title: 'CAPABILITY', value: (row) => row.capabilities.join(', ') },
        {
          title: 'WITHOUT IT KERF CANNOT',
          value: (row) => `${capabilityPurposes(row.capabilities)}${row.denied ? ' (denied)' : ''}`,
        },
      ],
      terminalWidth(streams.stdout),
    )
    const lines = [
      ...(report.missing.length === 0 ? ['Nothing is missing.'] : rows),
      ...(report.limited.length === 0
        ? []
        : ['', `Only for some resources or under conditions: ${report.limited.join(', ')}`]),
      ...(report.unused.length === 0 ? [] : ['', `Never used: ${report.unused.join(', ')}`]),
    ]
    streams.stdout.write(`${lines.join('\n')}\n`)
  }
  return report.missing.length === 0 ? 0 : 3
}

/** Runs `kerf aws policy`. Prints the policies of the controller, or the permissions that the user's policy lacks (with exit code 3). */
export const runPolicy = async (
  options: PolicyOptions,
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
): Promise<0 | 3> => {
  if (options.check !== undefined) return check(options.check, options.output ?? 'table', streams)
  const { clusterName } = options
  if (clusterName === undefined)
    throw new UsageError('the cluster is unknown: set --cluster-name, or --check FILE for an existing policy')
  const unknown = options.capability.find((name) => !isCapability(name))
  if (unknown !== undefined)
    throw new UsageError(`--capability ${unknown} is not one of: ${Object.keys(capabilities).join(', ')}`)
  const scope = policyScope({ ...options, clusterName }, streams.env)
  const wanted = (capability: Capability): boolean =>
    options.capability.length === 0 || options.capability.includes(capability)
  const statements = [
    ...policyStatements(scope).filter(({ capability }) => wanted(capability)),
    ...optionalStatements(scope).filter(({ capability }) => options.capability.includes(capability)),
  ]
  if (options.output === 'table') {
    const rows = statements.flatMap(({ capability, name, actions }) =>
      actions.map((action) => ({ capability, name, action })),
    )
    const lines = table(
      rows,
      [
        { title: 'CAPABILITY', value: ({ capability }) => capability },
        { title: 'ACTION', value: ({ action }) => action },
        { title: 'STATEMENT', value: ({ name }) => name },
        { title: 'TO', value: ({ capability }) => capabilities[capability] },
      ],
      terminalWidth(streams.stdout),
    )
    streams.stdout.write(`${lines.join('\n')}\n`)
    return 0
  }
  const documents = policyDocuments(scope, statements)
  const printed =
    options.capability.length === 0
      ? Object.fromEntries(documents)
      : {
          Version: '2012-10-17',
          Statement: [...documents.values()].flatMap(({ Statement }) => Statement),
        }
  streams.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
  return 0
}
