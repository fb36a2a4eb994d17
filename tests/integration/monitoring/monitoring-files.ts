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

/** The rule file of the chart. */
export const alertsFile = fileOf('alerts.yaml')

export const alerts: readonly Alert[] = (
  parse(readFileSync(alertsFile, 'utf8')) as { groups: readonly { rules: readonly Alert[] }[] }
).groups.flatMap(({ rules }) => rules)

/** Every query of the Grafana dashboard of the chart. */
export const dashboardQueries: readonly string[] = (
  JSON.parse(readFileSync(fileOf('dashboard.json'), 'utf8')) as Dashboard
).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The input of promtool: time series, and the alerts that they must fire. */
export const fires = fileURLToPath(new URL('alerts-fire.yaml', import.meta.url))
