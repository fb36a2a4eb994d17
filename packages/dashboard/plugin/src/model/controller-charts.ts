import { type Chart, quantilesQuery } from './charts.ts'

/** Returns the query of the 95th percentile of a histogram, for each value of a label. */
const percentileQuery = (metric: string, label: string, range: string): string =>
  `histogram_quantile(0.95, sum by (${label}, le) (rate(${metric}_bucket[${range}])))`

const interruptions: Chart = {
  id: 'interruptions',
  unit: 'perMinute',
  by: ['message_type'],
  addsUp: true,
  query: (_selector, range) =>
    `60 * sum by (message_type) (rate(karpenter_interruption_received_messages_total[${range}]))`,
}

const cloudErrors: Chart = {
  id: 'cloudErrors',
  unit: 'perMinute',
  by: ['method', 'error'],
  addsUp: true,
  query: (_selector, range) => `60 * sum by (method, error) (rate(karpenter_cloudprovider_errors_total[${range}]))`,
}

const cloudLatency: Chart = {
  id: 'cloudLatency',
  unit: 'seconds',
  by: ['method'],
  addsUp: false,
  query: (_selector, range) => percentileQuery('karpenter_cloudprovider_duration_seconds', 'method', range),
}

const scheduling: Chart = {
  id: 'scheduling',
  unit: 'seconds',
  by: ['quantile'],
  addsUp: false,
  query: (_selector, range) => quantilesQuery('karpenter_scheduler_scheduling_duration_seconds', range),
}

const disruptionTime: Chart = {
  id: 'disruptionTime',
  unit: 'seconds',
  by: ['reason'],
  addsUp: false,
  query: (_selector, range) =>
    percentileQuery('karpenter_voluntary_disruption_decision_evaluation_duration_seconds', 'reason', range),
}

/**
 * The charts of the cloud's interruptions, errors and latencies, and of the duration of scheduling and disruption. They have no lines for a
 * single NodePool.
 */
export const controllerCharts: readonly Chart[] = [interruptions, cloudErrors, cloudLatency, scheduling, disruptionTime]
