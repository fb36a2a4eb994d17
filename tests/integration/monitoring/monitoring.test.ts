import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { allMetrics } from '../../../tools/generators/metrics.ts'
import { alerts, dashboardQueries, fires } from './monitoring-files.ts'

/**
 * Returns the labels that an expression uses for each metric: the labels in the metric's braces, and for every metric the labels that the
 * expression groups by.
 */
const askedOf = (expression: string) => {
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
    .flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
    .filter((label) => label !== 'le')
  return [...expression.matchAll(/\b((?:karpenter|kerf)_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', within = '']) => ({
    name,
    labels: [...grouped, ...[...within.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label)],
  }))
}

test('every alert rule has a test that fires it, a severity, and a description for the on-call engineer', () => {
  const played = JSON.stringify(parse(readFileSync(fires, 'utf8')))
  for (const { alert, labels, annotations } of alerts) {
    expect(played).toContain(`alertname=\\"${alert}\\"`)
    expect(['critical', 'warning', 'info']).toContain(labels.severity)
    expect(annotations.summary.length * annotations.description.length).toBeGreaterThan(0)
  }
})

test('Kerf publishes every metric and label that a rule or a panel uses', async () => {
  const known = new Map((await allMetrics()).map((metric) => [metric.name, metric]))
  const asked = [...alerts.map(({ expr }) => expr), ...dashboardQueries].flatMap(askedOf)
  expect(asked.length).toBeGreaterThan(25)
  for (const { name, labels } of asked) {
    const metric = known.get(name) ?? known.get(name.replace(/_bucket$/, ''))
    expect(metric, name).toBeDefined()
    for (const label of labels) expect(metric?.labels ?? [], `${name}{${label}}`).toContain(label)
  }
})
