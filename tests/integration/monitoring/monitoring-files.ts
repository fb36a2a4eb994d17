import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../deploy/charts/karpenter/monitoring/${name}`, import.meta.url))

/** The chart's file of alert rules. */
export const alertsFile = fileOf('alerts.yaml')

export const alerts: readonly Alert[] = (
  parse(readFileSync(alertsFile, 'utf8')) as { groups: readonly { rules: readonly Alert[] }[] }
).groups.flatMap(({ rules }) => rules)

/** Every query of the chart's Grafana dashboard. */
export const dashboardQueries: readonly string[] = (
  JSON.parse(readFileSync(fileOf('dashboard.json'), 'utf8')) as Dashboard
).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The input for promtool: time series, and the alerts that must fire for them. */
export const fires = fileURLToPath(new URL('alerts-fire.yaml', import.meta.url))
