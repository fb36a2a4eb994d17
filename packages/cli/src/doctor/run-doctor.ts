import { writeFile } from 'node:fs/promises'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { styleFor } from '@kerf/provider-kit/terminal'
import { type Clock, SystemClock } from '@kerf/runtime'
import { connect } from '../cluster/connect.ts'
import type { InstanceTypesChoice } from '../cluster/instance-types.ts'
import { type FileChoice, readsFiles } from '../manifests/file-options.ts'
import { readDocuments } from '../manifests/read-documents.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { checkFields } from '../manifests/validate-manifests.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { Audit, type AuditInput } from './audit.ts'
import type { Check } from './check.ts'
import { loadChecks } from './checks.ts'
import { CloudExport, cloudTitles } from './cloud-export.ts'
import { auditFindings, type FailLevel, findingsExitCode } from './finding.ts'
import { htmlReport } from './html-report.ts'
import { knownTypes } from './known-types.ts'
import { markdownReport } from './markdown-report.ts'
import { readCluster } from './read-cluster.ts'
import { sarifReport } from './sarif-report.ts'
import { auditScopes } from './scopes.ts'
import { tableReport } from './table-report.ts'
import { missingField } from './whole-object.ts'

export interface DoctorOptions extends InstanceTypesChoice, Pick<FileChoice, 'filename' | 'recursive' | 'validate'> {
  readonly kubeconfig?: string
  readonly context?: string
  readonly output: 'table' | 'json' | 'markdown' | 'sarif'
  /** File to which the HTML page is written, in addition to the output. */
  readonly html?: string
  /** Files and directories that contain output of the cloud's own command-line tool. */
  readonly cloud?: readonly string[]
  /** The lowest severity for which the exit code is 3. The default is `warning`. */
  readonly failOn?: FailLevel
  /** Ids of checks to leave out. */
  readonly ignore: readonly string[]
}

/**
 * Returns the check with the id.
 *
 * @throws UsageError if there is no such check
 */
const checkWithId = (id: string, checks: readonly Check[]): Check => {
  const found = checks.find((check) => check.id === id.toUpperCase())
  if (found === undefined)
    throw new UsageError(`unknown check ${id}; kerf doctor -o json lists all checks, for example ${checks[0]?.id}`)
  return found
}

/** Returns the text for `--explain ID`. */
export const explainCheck = async (id: string): Promise<string> => {
  const { id: name, title, severity, group, why, reads } = checkWithId(id, await loadChecks())
  const needs = reads.length === 0 ? '' : `\n\nIt reads ${reads.join(', ')}.`
  return `${name}  ${title}\n${severity}, ${group}\n\n${why}${needs}\n`
}

const readFiles = async (
  { filename, recursive = false, validate = 'warn', kubeconfig, context }: DoctorOptions,
  warn: (line: string) => void,
): Promise<Pick<AuditInput, 'objects' | 'source'>> => {
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('-f reads files and --kubeconfig a live cluster; use only one of them')
  const manifests = await readManifests(filename, { recursive, skipped: warn, repeated: warn })
  checkFields(manifests, { validate, warn })
  const objects = manifests.flatMap(({ object, file, line }) => {
    const missing = missingField(object)
    if (missing === undefined && typeof object.metadata?.name === 'string') return [object]
    warn(
      `skipped: ${file}:${line}: ${object.kind} ${object.metadata?.name ?? 'without a name'}: ${missing ?? 'metadata.name'} is missing`,
    )
    return []
  })
  if (objects.length === 0)
    throw new UsageError(
      `${filename.join(', ')}: contains no objects; write some with: kubectl get nodes,pods -A -o yaml`,
    )
  return { objects, source: { kind: 'files' } }
}

const readLive = async (
  { kubeconfig, context }: DoctorOptions,
  env: PlanStreams['env'],
): Promise<Pick<AuditInput, 'objects' | 'source'>> => {
  const { client } = connect({ env, kubeconfig, context })
  try {
    const { objects, unread } = await readCluster(client)
    return { objects, source: { kind: 'cluster', unread } }
  } finally {
    await client.close()
  }
}

/** Runs `kerf doctor`. Returns exit code 3 if there are findings of severity `failOn` or higher, otherwise 0. Changes nothing. */
export const runDoctor = async (
  options: DoctorOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<0 | 3> => {
  const checks = await loadChecks()
  const ignored = new Set(options.ignore.map((id) => checkWithId(id, checks).id))
  const progress = new ProgressLine(streams.stderr)
  const notes: string[] = []
  progress.show('reading the cluster')
  const read = readsFiles(options)
    ? await readFiles(options, (line) => notes.push(line))
    : await readLive(options, streams.env)
  progress.show(`examining ${read.objects.length} objects`)
  const cloud = new CloudExport(await readDocuments(options.cloud ?? []))
  for (const file of cloud.others)
    notes.push(`skipped: ${file}: not an output of the ${cloudTitles} command line that a check reads`)
  const audit = new Audit({ ...read, ...(await knownTypes(read.objects, options)), cloud, now: clock.now() })
  const findings = auditFindings(
    audit,
    checks.filter(({ id }) => !ignored.has(id)),
  )
  progress.clear()
  if (options.html !== undefined) {
    const { html } = options
    await writeFile(html, htmlReport(findings, auditScopes(audit), audit.now)).catch((error: unknown) => {
      throw new CliError(`${html} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  switch (options.output) {
    case 'table':
      streams.stdout.write(tableReport(findings, styleFor(streams.stdout, streams.env)))
      break
    case 'markdown':
      streams.stdout.write(markdownReport(findings))
      break
    case 'json':
      streams.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
      break
    case 'sarif':
      streams.stdout.write(`${JSON.stringify(sarifReport(findings), null, 2)}\n`)
  }
  // Notes are printed last, because their list can be long.
  for (const note of notes) streams.stderr.write(`${note}\n`)
  return findingsExitCode(findings, options.failOn ?? 'warning')
}
