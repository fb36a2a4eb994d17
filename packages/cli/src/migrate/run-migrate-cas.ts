import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { terminalWidth } from '@kerf/provider-kit/terminal'
import { type Clock, SystemClock } from '@kerf/runtime'
import { connect } from '../cluster/connect.ts'
import { readCluster } from '../doctor/read-cluster.ts'
import { readDocuments } from '../manifests/read-documents.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type DraftOptions, draftMigration } from './draft-migration.ts'
import { readSources, type Sources } from './groups/read-sources.ts'
import { reportText } from './plan/plan-page.ts'

export interface MigrateCasOptions extends DraftOptions {
  readonly filename: readonly string[]
  readonly recursive?: boolean
  readonly kubeconfig?: string
  readonly context?: string
}

const readLive = async (options: MigrateCasOptions, env: PlanStreams['env']): Promise<Sources> => {
  const { client } = connect({ env, kubeconfig: options.kubeconfig, context: options.context })
  try {
    const { objects, unread } = await readCluster(client)
    const sources = await readSources(objects.map((value) => ({ value, file: 'the cluster' })))
    return {
      ...sources,
      conversions: [
        ...sources.conversions,
        ...Array.from(unread, ([kind, because]) => fieldConversion('the cluster', kind, { because })),
      ],
    }
  } finally {
    await client.close()
  }
}

const prepareFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new CliError(`${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`)
  })
  const found = await readdir(folder)
  if (found.length > 0 && !found.includes('plan.yaml'))
    throw new UsageError(`${folder} holds other files; name an empty or new directory with --output-dir`)
}

/**
 * Runs `kerf migrate cas`: writes NodePools, node classes, patches and a plan to a directory. Applies nothing. Returns exit code 3
 * if the user must decide something.
 */
export const runMigrateCas = async (
  options: MigrateCasOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<0 | 3> => {
  if (options.filename.length > 0 && (options.kubeconfig !== undefined || options.context !== undefined))
    throw new UsageError('-f reads files and --kubeconfig a live cluster; leave one of the two out')
  const progress = new ProgressLine(streams.stderr)
  progress.show('reading')
  const sources =
    options.filename.length === 0
      ? await readLive(options, streams.env)
      : await readSources(await readDocuments(options.filename, { recursive: options.recursive ?? false }))
  const { plan, conversions, files } = await draftMigration(sources, options, clock.now())
  await prepareFolder(options.outputDir)
  for (const [name, text] of files) {
    if (name.includes('/')) await mkdir(join(options.outputDir, name, '..'), { recursive: true })
    await writeFile(join(options.outputDir, name), text)
  }
  progress.clear()
  streams.stdout.write(reportText(plan, conversions, options.outputDir, terminalWidth(streams.stdout)))
  return plan.questions.length === 0 ? 0 : 3
}
