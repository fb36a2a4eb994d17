import { type Clock, SystemClock } from '@kerf/runtime'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { loadReportCluster, type ReportSource } from './report-cluster.ts'
import { reportDocument } from './report-document.ts'
import { reportHtml } from './report-html.ts'
import { reportMarkdown } from './report-markdown.ts'

export interface ReportOptions extends ReportSource {
  readonly output: 'html' | 'markdown' | 'json'
}

/** Runs `kerf report`: reads the cluster, computes the report, and writes it to standard output. Changes nothing. */
export const runReport = async (
  options: ReportOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<void> => {
  const progress = new ProgressLine(streams.stderr)
  progress.show(options.paths.length === 0 ? 'reading the cluster' : `reading ${options.paths.join(', ')}`)
  const cluster = await loadReportCluster(options, streams.env, clock).finally(() => progress.clear())
  const madeAt = `${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const report = reportDocument(cluster, madeAt, (line) => progress.show(line))
  progress.clear()
  switch (options.output) {
    case 'html':
      streams.stdout.write(reportHtml(report))
      return
    case 'markdown':
      streams.stdout.write(reportMarkdown(report))
      return
    case 'json':
      streams.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  }
}
