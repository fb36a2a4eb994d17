import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { Box } from '@mui/material'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Pod } from '../cluster/classes.ts'
import { controllerSamples } from '../cluster/controller.ts'
import { askPrometheus, findPrometheus } from '../cluster/prometheus.ts'
import { useHistory } from '../cluster/use-history.ts'
import { useKindList } from '../cluster/use-list.ts'
import { usePoolCounts, usePoolsAndClaims } from '../cluster/use-objects.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { useT } from '../locales/use-t.ts'
import {
  type Chart,
  type ChartId,
  charts,
  type Line,
  type Lines,
  linesOrWhy,
  type Resolution,
  type Selector,
} from '../model/charts.ts'
import { controllerCharts } from '../model/controller-charts.ts'
import { chartLines, linesUntil, type Reading, readingAt, withReading } from '../model/history.ts'
import { objectLabel, objectName } from '../model/read.ts'
import { type ChosenRange, rangeAt, type TimeRange } from '../model/time-range.ts'
import { usageAmounts } from '../model/usage-amounts.ts'
import { type Settings, useSettings } from '../settings/settings.ts'
import { ChartControls } from './chart-controls.tsx'
import { ChartView } from './chart-view.tsx'
import { Note } from './note.tsx'

/**
 * Readings by cluster and pool, taken while a page of the plugin was open. They remain when the user opens another
 * page.
 */
const kept = new Map<string, readonly Reading[]>()

/** If there is no Prometheus, reads the objects and the controller's metrics every `every` seconds. */
const useReadings = (nodePool: string | undefined, isOn: boolean, every: number): readonly Reading[] => {
  const cluster = K8s.useCluster() ?? ''
  const key = `${cluster}/${nodePool ?? ''}`
  const { pools, claims, arePoolsKnown, areClaimsKnown } = usePoolsAndClaims()
  const counts = usePoolCounts(isOn)
  const pods = useKindList(Pod, { fieldSelector: 'spec.nodeName=' })
  const prices = usePrices()
  const latest = useRef({ pools, claims, arePoolsKnown, areClaimsKnown, counts, prices, pods: pods.items })
  latest.current = { pools, claims, arePoolsKnown, areClaimsKnown, counts, prices, pods: pods.items }
  const [readings, setReadings] = useState<readonly Reading[]>(() => kept.get(key) ?? [])
  useEffect(() => {
    if (!isOn) return undefined
    let isOver = false
    const read = async (): Promise<void> => {
      const samples = await controllerSamples(cluster)
      if (isOver) return
      const isOurs = (pool: string | undefined): boolean => nodePool === undefined || pool === nodePool
      const now = latest.current
      const taken = readingAt(Date.now(), {
        pools: now.arePoolsKnown ? now.pools.filter((pool) => isOurs(objectName(pool))) : undefined,
        claims: now.areClaimsKnown
          ? now.claims.filter((claim) => isOurs(objectLabel(claim, 'karpenter.sh/nodepool')))
          : undefined,
        counts: now.counts,
        prices: now.prices,
        pods: now.pods?.map(({ jsonData }) => jsonData),
        samples: samples.filter(({ labels }) => labels['nodepool'] === undefined || isOurs(labels['nodepool'])),
      })
      const all = withReading(kept.get(key) ?? [], taken)
      kept.set(key, all)
      setReadings(all)
    }
    const timer = setInterval(() => void read(), every * 1000)
    void read()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [cluster, key, nodePool, isOn, every])
  return readings
}

/** Returns the address of Prometheus, or `undefined` if there is none. */
const usePrometheus = (cluster: string, settings: Settings): string | 'asking' | undefined => {
  const [base, setBase] = useState<string | 'asking' | undefined>('asking')
  useEffect(() => {
    let isOver = false
    void findPrometheus(cluster, settings).then((found) => {
      if (!isOver) setBase(found)
    })
    return () => {
      isOver = true
    }
  }, [cluster, settings.prometheus, settings.prometheusPath])
  return base
}

interface Question {
  readonly nodePool: string | undefined
  readonly shown: readonly Chart[]
  readonly chosen: ChosenRange
  readonly resolution: Resolution
  /** The time at which the user paused the charts, in milliseconds. Absent if they are not paused. */
  readonly paused: number | undefined
  /** Seconds between two readings. */
  readonly every: number
}

/** Returns the responses of Prometheus, keyed by chart id. Sends the queries again every `every` seconds. */
const useAnswers = (
  cluster: string,
  base: string | 'asking' | undefined,
  { nodePool, shown, chosen, resolution, paused, every }: Question,
): ReadonlyMap<string, Lines> => {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Lines>>(new Map())
  const ids = shown.map(({ id }) => id).join()
  useEffect(() => {
    if (base === undefined || base === 'asking') return undefined
    let isOver = false
    const selector = nodePool === undefined ? {} : { nodePool }
    const read = async (): Promise<void> => {
      const timeRange = rangeAt(chosen, paused ?? Date.now())
      const found = await Promise.all(
        shown.map(
          async (chart) =>
            [chart.id, await askPrometheus(cluster, base, chart, selector, { ...timeRange, resolution })] as const,
        ),
      )
      if (!isOver) setAnswers(new Map(found))
    }
    const isMoving = paused === undefined && chosen.kind === 'last'
    const timer = isMoving ? setInterval(() => void read(), every * 1000) : undefined
    void read()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [base, cluster, nodePool, JSON.stringify(chosen), resolution, paused, every, ids])
  return answers
}

/** Returns, for each line of the chart of limits, a text with the used amount and the limit. */
const useAmounts = (nodePool: string | undefined): ReadonlyMap<string, string> => {
  const t = useT()
  const { pools } = usePoolsAndClaims()
  return useMemo(
    () =>
      usageAmounts(
        pools.filter((pool) => nodePool === undefined || objectName(pool) === nodePool),
        (used, limit) => t('limit', { used, limit }),
      ),
    [pools, nodePool, t],
  )
}

/** The age of a controller, in milliseconds, up to which it can have fewer than two samples. */
const YOUNG = 180_000

/** Every time. */
const EVER: TimeRange = { from: 0, until: Number.POSITIVE_INFINITY }

interface ChartsProps extends Selector {
  /** The setting that contains the page's initial time range. */
  readonly startWith: 'poolRange' | 'claimRange'
  /** The ids of the charts to show. The default is the charts of the metrics page. */
  readonly only?: readonly string[]
}

/**
 * Shows charts over a time range that the user can select. The values come from Prometheus if there is one, otherwise
 * from Kerf's history of the last day, otherwise from the readings of this page.
 */
export const Charts = ({ nodePool, startWith, only }: ChartsProps) => {
  const t = useT()
  const cluster = K8s.useCluster() ?? ''
  const settings = useSettings()
  const [chosen, setChosen] = useState<ChosenRange>({ kind: 'last', range: settings[startWith] })
  const [paused, setPaused] = useState<number>()
  const [resolution, setResolution] = useState<Resolution>(settings.resolution)
  const shown = only === undefined ? charts : [...charts, ...controllerCharts].filter(({ id }) => only.includes(id))
  const base = usePrometheus(cluster, settings)
  const answers = useAnswers(cluster, base, { nodePool, shown, chosen, resolution, paused, every: settings.every })
  const history = useHistory(nodePool)
  // A controller that has just started has too few samples for a chart.
  const isYoung = typeof history === 'object' && Date.now() - history.since < YOUNG
  const readings = useReadings(nodePool, base === undefined && (history === undefined || isYoung), settings.every)
  const amounts = useAmounts(nodePool)
  const timeRange = rangeAt(chosen, paused ?? Date.now())
  const linesIn = (id: ChartId, { from, until }: TimeRange): readonly Line[] => {
    const remembered = typeof history === 'object' ? history.lines(id, from) : []
    return linesUntil(remembered.length > 0 ? remembered : chartLines(readings, id, from), until)
  }
  const isReading = history === 'asking' || (typeof history !== 'object' && readings.length === 0)
  const chartAnswer = (chart: Chart): Lines | undefined =>
    base !== undefined
      ? answers.get(chart.id)
      : isReading
      ? undefined
      : linesOrWhy(linesIn(chart.id, timeRange), () => linesIn(chart.id, EVER), 'values')
  return (
    <>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap', p: 1 }}>
        <ChartControls
          chosen={chosen}
          onChoose={setChosen}
          resolution={resolution}
          onResolution={setResolution}
          paused={paused}
          onPause={setPaused}
        />
        {base === undefined && history === undefined && <Note>{t('noPrometheus', { seconds: settings.every })}</Note>}
        {base === undefined && typeof history === 'object' && (
          <Note>
            {t('ownHistory', { since: new Date(history.since).toLocaleString() })}
            {history.leftOut > 0 && ` ${t('linesLeftOut', { count: history.leftOut })}`}
          </Note>
        )}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: { lg: '1fr 1fr' }, gap: 2 }}>
        {shown.map((chart) => (
          <ChartView
            key={chart.id}
            chart={chart}
            answer={chartAnswer(chart)}
            // The amounts are the current ones, so they are shown only if the time range ends now.
            amounts={chart.id === 'usage' && chosen.kind === 'last' && paused === undefined ? amounts : undefined}
          />
        ))}
      </Box>
    </>
  )
}
