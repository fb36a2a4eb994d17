import { ApiProxy } from '@kinvolk/headlamp-plugin/lib'
import type { Resolution } from '../model/charts.ts'
import {
  type Chart,
  chartStep,
  type Lines,
  linesOrWhy,
  rangePath,
  rateWindow,
  readRange,
  type Selector,
} from '../model/charts.ts'
import { readVector, type Sample } from '../model/exposition.ts'
import { listAt, numberAt, objectName, textAt } from '../model/read.ts'
import type { TimeRange } from '../model/time-range.ts'
import type { Settings } from '../settings/settings.ts'

const SEARCH_AGAIN_AFTER = 60_000
const found = new Map<string, { readonly at: number; readonly base: Promise<string | undefined> }>()

const request = (cluster: string, path: string, isJSON = true): Promise<unknown> =>
  ApiProxy.clusterRequest(path, { cluster, isJSON, autoLogoutOnAuthError: false, timeout: 20_000 })

const proxied = (namespace: string, service: string, port: string, path: string): string => {
  const below = path.replaceAll(/^\/+|\/+$/g, '')
  return `/api/v1/namespaces/${namespace}/services/${service}:${port}/proxy/${below === '' ? '' : `${below}/`}`
}

/** Parses `namespace/service:port`, the format in the settings. */
export const prometheusBase = ({
  prometheus,
  prometheusPath,
}: Pick<Settings, 'prometheus' | 'prometheusPath'>): string | undefined => {
  const [, namespace, service, port] = /^([a-z0-9-]+)\/([a-z0-9-]+):([a-z0-9-]+)$/.exec(prometheus.trim()) ?? []
  return namespace === undefined || service === undefined || port === undefined
    ? undefined
    : proxied(namespace, service, port, prometheusPath)
}

/** Labels by which services of Prometheus are found. The first is for Headlamp's own Prometheus plugin. */
const LABELS = ['headlamp-prometheus=true', 'app.kubernetes.io/name=prometheus', 'operated-prometheus=true']

const discover = async (cluster: string): Promise<string | undefined> => {
  for (const label of LABELS) {
    const services = await request(cluster, `/api/v1/services?labelSelector=${encodeURIComponent(label)}`)
    for (const service of listAt(services, 'items')) {
      for (const port of listAt(service, 'spec', 'ports')) {
        const base = proxied(
          textAt(service, 'metadata', 'namespace') ?? '',
          objectName(service),
          String(numberAt(port, 'port') ?? ''),
          '',
        )
        const answer = await request(cluster, `${base}api/v1/query?query=up`).catch(() => undefined)
        if (textAt(answer, 'status') === 'success') return base
      }
    }
  }
  return undefined
}

/**
 * Returns the address of the cluster's Prometheus, as configured or discovered. The result is cached for a minute.
 */
export const findPrometheus = (cluster: string, settings: Settings): Promise<string | undefined> => {
  if (settings.prometheus !== '') return Promise.resolve(prometheusBase(settings))
  const known = found.get(cluster)
  if (known !== undefined && Date.now() - known.at < SEARCH_AGAIN_AFTER) return known.base
  const base = discover(cluster).catch(() => undefined)
  found.set(cluster, { at: Date.now(), base })
  return base
}

/** Returns the current samples of metrics. Rejects if Prometheus does not respond. */
export const prometheusSamples = async (
  cluster: string,
  base: string,
  metrics: readonly string[],
): Promise<readonly Sample[]> => {
  const query = encodeURIComponent(`{__name__=~"${metrics.join('|')}"}`)
  return readVector(await request(cluster, `${base}api/v1/query?query=${query}`))
}

interface Asked extends TimeRange {
  readonly resolution: Resolution
}

const askRange = async (
  cluster: string,
  base: string,
  chart: Chart,
  selector: Selector,
  { from, until, resolution }: Asked,
): Promise<Lines> => {
  const step = chartStep((until - from) / 1000, resolution)
  try {
    const path = `${base}${rangePath(chart.query(selector, rateWindow(step)), from, until, step)}`
    const answer = await request(cluster, path, false)
    const text = answer instanceof Response ? await answer.text() : JSON.stringify(answer)
    return readRange(parsed(text), chart.by)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** The time range, in milliseconds, that is searched for a series if the requested range does not contain it. */
const LONGEST = 7 * 86_400_000

/**
 * Queries the lines of a chart from Prometheus. If the request fails or the response is an error or an unexpected page, returns a problem
 * with a message. If there are no lines, queries a longer range to find out why.
 */
export const askPrometheus = async (
  cluster: string,
  base: string,
  chart: Chart,
  selector: Selector,
  asked: Asked,
): Promise<Lines> => {
  const found = await askRange(cluster, base, chart, selector, asked)
  if ('problem' in found || found.lines.length > 0) return found
  const isLong = asked.until - asked.from >= LONGEST
  const longest: Asked = { from: asked.until - LONGEST, until: asked.until, resolution: 'low' }
  const longer = isLong ? found : await askRange(cluster, base, chart, selector, longest)
  return linesOrWhy(found.lines, () => ('problem' in longer ? [] : longer.lines), 'series')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
