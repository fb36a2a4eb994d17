import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { netAllowances } from './budgets.ts'
import {
  asCsv,
  charts,
  chartStep,
  foldLines,
  linesOrWhy,
  rangePath,
  rangeSeconds,
  rateWindow,
  readRange,
  showTick,
  showValue,
} from './charts.ts'
import { controllerCharts } from './controller-charts.ts'
import { computeQuantile, readExposition } from './exposition.ts'
import { priceLabels } from './generated/displayed-kinds.ts'
import {
  chartLines,
  linesUntil,
  MOST_READINGS,
  type Reading,
  readingAt,
  reportedHistory,
  withReading,
} from './history.ts'
import { labelPrices } from './prices.ts'

const [priceLabel = ''] = priceLabels

const series = (metric: object, ...values: readonly (readonly [number, string])[]) => ({ metric, values })
const answer = (...result: readonly object[]) => ({ status: 'success', data: { resultType: 'matrix', result } })

/** The series in the recorded response. */
const RECORDED = [
  ['general · Drifted', 3],
  ['general · Empty', 3],
  ['general · Underutilized', 3],
]

describe('a response of Prometheus', () => {
  test('from a real server (2.42, three scrapes of kerf run) becomes one line per reason', () => {
    const recorded = JSON.parse(readFileSync(new URL('./prometheus-answer.json', import.meta.url), 'utf8'))
    const read = readRange(recorded, charts.find(({ id }) => id === 'allowed')?.by ?? [])
    expect('lines' in read && read.lines.map(({ name, points }) => [name, points.length])).toEqual(RECORDED)
  })

  test('becomes lines named by the labels that differ', () => {
    const read = readRange(
      answer(
        series({ nodepool: 'b', reason: '' }, [10, '2']),
        series({ nodepool: 'a', reason: 'Drifted' }, [10, '1'], [20, 'NaN'], [30, '+Inf'], [40, '4']),
      ),
      ['nodepool', 'reason'],
    )
    expect(read).toEqual({
      lines: [
        {
          name: 'a · Drifted',
          points: [
            { time: 10_000, value: 1 },
            { time: 40_000, value: 4 },
          ],
        },
        { name: 'b · –', points: [{ time: 10_000, value: 2 }] },
      ],
    })
  })

  test.each([
    ['an error', { status: 'error', error: 'parse error' }, 'parse error'],
    ['a page', '<html>login</html>', 'no JSON object'],
    ['nothing', undefined, 'no JSON object'],
    ['a response without a result', { status: 'success', data: {} }, 'no result'],
    ['a list', [], 'no JSON object'],
    ['a vector', { status: 'success', data: { resultType: 'vector', result: [] } }, 'instead of matrix'],
  ])('that is %s becomes a problem with a message', (_name, odd, message) => {
    expect(readRange(odd, [])).toEqual({ problem: expect.stringContaining(message) })
  })

  test('malformed series are omitted', () => {
    expect(readRange(answer({ metric: {}, values: 'x' }, series({}, [1, '1'])), ['a'])).toEqual({
      lines: [{ name: '–', points: [{ time: 1000, value: 1 }] }],
    })
  })
})

describe('queries', () => {
  test('quote label values', () => {
    const [first] = charts
    expect(first?.query({ nodePool: 'a"b\\c' }, '5m')).toContain('nodepool="a\\"b\\\\c"')
  })

  test('never add up different resources, and keep reasons separate', () => {
    for (const { by, query } of charts) {
      const text = query({}, '5m')
      for (const label of by.filter((each) => each !== 'quantile')) expect(text).toContain(label)
    }
    expect(charts.find(({ id }) => id === 'usage')?.query({}, '5m')).toContain('resource_type')
  })

  test('use whole multiples of the step', () => {
    const path = rangePath('up', 1_000_007_000 - 3_600_000, 1_000_007_000, 30)
    const asked = new URL(path, 'http://x').searchParams
    expect(Number(asked.get('end')) % 30).toBe(0)
    expect(Number(asked.get('end')) - Number(asked.get('start'))).toBe(3600)
    expect([rangeSeconds('10m'), rangeSeconds('7d')]).toEqual([600, 604_800])
    expect([chartStep(600, 'high'), chartStep(86_400, 'medium')]).toEqual([5, 576])
    expect([rateWindow(5), rateWindow(576)]).toEqual(['300s', '2304s'])
  })
})

test('numbers have their unit', () => {
  expect([
    showValue('usdPerHour', 0.038),
    showValue('usdPerHour', 12.345),
    showValue('seconds', 42.04),
    showValue('seconds', 600),
    showValue('bytes', 2 ** 31),
    showValue('percent', 33.333),
    showValue('perMinute', 1.256),
  ]).toEqual(['$0.0380/h', '$12.35/h', '42 s', '10 min', '2 GiB', '33.3 %', '1.26/min'])
})

test('small numbers on an axis stay distinct', () => {
  const ticks = [0, 0.0015, 0.003, 0.0045, 0.12].map((value) => showValue('seconds', value))
  expect(ticks).toEqual(['0 s', '1.5 ms', '3 ms', '4.5 ms', '120 ms'])
  expect([0.015, 0.045].map((value) => showValue('perMinute', value))).toEqual(['0.015/min', '0.045/min'])
})

test('numbers have separators between thousands', () => {
  expect([
    showValue('count', 12_345, 'en'),
    showValue('usdPerHour', 1234.5, 'en'),
    showValue('bytes', 2 ** 30 * 2048, 'en'),
    showTick('usdPerHour', 12_000, 12_000, 'en'),
    showTick('count', 5000, 5000, 'en'),
  ]).toEqual(['12,345', '$1,234.50/h', '2,048 GiB', '$12,000', '5,000'])
})

test('of many lines the largest are kept and the others are added up, except percentages', () => {
  const lines = Array.from({ length: 20 }, (_, place) => ({ name: `l${place}`, points: [{ time: 1, value: place }] }))
  const folded = foldLines(lines, 'others', true)
  expect(folded.lines).toHaveLength(8)
  expect(folded.lines[0]?.name).toBe('l19')
  expect(folded.lines.at(-1)).toEqual({ name: 'others', points: [{ time: 1, value: 78 }] })
  expect(folded.leftOut).toBe(0)
  const percentages = foldLines(lines, 'others', false)
  expect([percentages.lines.length, percentages.lines.at(-1)?.name, percentages.leftOut]).toEqual([8, 'l12', 12])
  expect(charts.filter(({ addsUp }) => !addsUp).map(({ id }) => id)).toEqual(['usage', 'latency', 'allowed'])
})

test('an axis has enough decimals to distinguish its ticks', () => {
  expect([showTick('usdPerHour', 0.015, 0.06), showTick('usdPerHour', 0.5, 2), showTick('usdPerHour', 40, 90)]).toEqual(
    ['$0.015', '$0.50', '$40'],
  )
  expect(showTick('perMinute', 0.5, 2)).toBe('0.5')
})

test('a paused chart or a fixed range has no later points', () => {
  const lines = [
    { name: 'a', points: [1, 2, 3].map((time) => ({ time, value: time })) },
    { name: 'later', points: [{ time: 3, value: 1 }] },
  ]
  expect(linesUntil(lines, 2)).toEqual([{ name: 'a', points: [1, 2].map((time) => ({ time, value: time })) }])
})

test('lines are exported as CSV with one row per time and quoted names', () => {
  const text = asCsv([
    { name: 'a,b', points: [{ time: 0, value: 1 }] },
    { name: 'c', points: [{ time: 1000, value: 2 }] },
  ])
  expect(text).toBe('time,"a,b",c\n1970-01-01T00:00:00.000Z,1,\n1970-01-01T00:00:01.000Z,,2\n')
})

describe('the controller’s own metrics', () => {
  const text = `# HELP x y
# TYPE x counter
x{a="1",b="q\\"uo\\\\te\\n"} 3 1700000000000
plain 1.5e3
inf{le="+Inf"} 7
<html>not a metric</html>
broken{a="1} 5
d_bucket{le="1"} 2
d_bucket{le="5"} 6
d_bucket{le="+Inf"} 8
`
  test('are parsed, and invalid lines are omitted', () => {
    const samples = readExposition(text)
    expect(samples.slice(0, 3)).toEqual([
      { name: 'x', labels: { a: '1', b: 'q"uo\\te\n' }, value: 3 },
      { name: 'plain', labels: {}, value: 1500 },
      { name: 'inf', labels: { le: '+Inf' }, value: 7 },
    ])
    expect(samples).toHaveLength(6)
  })

  test('give quantiles like PromQL, interpolated linearly inside a bucket', () => {
    const samples = readExposition(text)
    expect(computeQuantile(samples, 'd', 0.5)).toBeCloseTo(3)
    expect(computeQuantile(samples, 'd', 0.99)).toBe(5)
    expect(computeQuantile(samples, 'none', 0.5)).toBeUndefined()
  })
})

describe('history without Prometheus', () => {
  const reading = (time: number, created: Record<string, number>): Reading => ({ time, values: { created } })

  test('counters become rates, and a restart does not count as a decrease', () => {
    const readings = [reading(0, { a: 10 }), reading(60_000, { a: 16 }), reading(120_000, { a: 2 })]
    expect(chartLines(readings, 'created', 0)).toEqual([
      {
        name: 'a',
        points: [
          { time: 60_000, value: 6 },
          { time: 120_000, value: 2 },
        ],
      },
    ])
  })

  test('a line that is missing in a reading counts as 0', () => {
    const at = (time: number, pending: Record<string, number>): Reading => ({ time, values: { pending } })
    const [line] = chartLines([at(1, { x: 3 }), at(2, {})], 'pending', 0)
    expect(line?.points.map(({ value }) => value)).toEqual([3, 0])
  })

  test('has a limited size, and drops some of the older readings', () => {
    let readings: readonly Reading[] = []
    for (let time = 0; time < 3 * MOST_READINGS; time++) readings = withReading(readings, reading(time, {}))
    expect(readings.length).toBeLessThanOrEqual(MOST_READINGS)
    expect(readings.at(-1)?.time).toBe(3 * MOST_READINGS - 1)
    expect(readings.map(({ time }) => time)).toEqual([...readings.map(({ time }) => time)].sort((a, b) => a - b))
  })

  test('counts objects as the metrics do: by instance type, zone and capacity type, and by pool and resource', () => {
    const claim = {
      metadata: {
        name: 'c',
        labels: {
          'karpenter.sh/nodepool': 'p',
          'node.kubernetes.io/instance-type': 'm5.large',
          'topology.kubernetes.io/zone': 'a',
          'karpenter.sh/capacity-type': 'spot',
          [priceLabel]: '0.5',
        },
      },
      status: { providerID: 'c', conditions: [{ type: 'Registered', status: 'True' }] },
    }
    const pool = { metadata: { name: 'p' }, spec: { limits: { cpu: '10' } }, status: { resources: { cpu: '2500m' } } }
    const { values } = readingAt(5, {
      pools: [pool],
      claims: [claim, claim],
      pods: [{ metadata: { name: 'w' }, spec: {}, status: { phase: 'Pending' } }],
      prices: labelPrices,
      samples: readExposition('karpenter_nodepools_allowed_disruptions{nodepool="p",reason="Empty"} 3\n'),
    })
    expect(values).toMatchObject({
      nodes: { 'm5.large · a · spot': 2 },
      cost: { p: 1 },
      usage: { 'p · cpu': 25 },
      pending: { Pending: 1 },
      allowed: { 'p · Empty': 3 },
    })
  })

  test('reads interruptions, cloud errors and durations from the controller’s metrics', () => {
    const buckets = (metric: string, labels: string, [first, all]: readonly [number, number]): string =>
      `${metric}_bucket{${labels}le="1"} ${first}\n${metric}_bucket{${labels}le="3"} ${all}\n${metric}_bucket{${labels}le="+Inf"} ${all}\n`
    const samples = readExposition(
      [
        'karpenter_interruption_received_messages_total{message_type="spot_interrupted"} 2\n',
        'karpenter_cloudprovider_errors_total{method="Create",error="",controller="a"} 1\n',
        'karpenter_cloudprovider_errors_total{method="Create",error="",controller="b"} 4\n',
        buckets('karpenter_cloudprovider_duration_seconds', 'method="Create",', [0, 10]),
        buckets('karpenter_cloudprovider_duration_seconds', 'method="List",', [10, 10]),
        buckets('karpenter_scheduler_scheduling_duration_seconds', '', [5, 10]),
        buckets(
          'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
          'reason="drifted",consolidation_type="",',
          [10, 10],
        ),
      ].join(''),
    )
    const { values } = readingAt(5, {
      pools: undefined,
      claims: undefined,
      pods: undefined,
      prices: labelPrices,
      samples,
    })
    expect(values).toMatchObject({
      interruptions: { spot_interrupted: 2 },
      cloudErrors: { 'Create · –': 5 },
      cloudLatency: { Create: expect.closeTo(2.9, 9), List: expect.closeTo(0.95, 9) },
      scheduling: { p50: 1, p95: expect.closeTo(2.8, 9), p99: expect.closeTo(2.96, 9) },
      disruptionTime: { drifted: expect.closeTo(0.95, 9) },
    })
    expect(controllerCharts.map(({ id }) => id).sort()).toEqual(
      ['cloudErrors', 'cloudLatency', 'disruptionTime', 'interruptions', 'scheduling'].sort(),
    )
    // Totals become rates.
    const later: Reading = { time: 60_005, values: { ...values, cloudErrors: { 'Create · –': 8 } } }
    expect(chartLines([{ time: 5, values }, later], 'cloudErrors', 0)[0]?.points).toEqual([{ time: 60_005, value: 3 }])
  })

  test('takes the allowed disruptions from the budgets, as the overview does, if the nodes are known', () => {
    const pool = {
      metadata: { name: 'p' },
      spec: { disruption: { budgets: [{ nodes: '5' }, { nodes: '2', reasons: ['Drifted'] }] } },
    }
    const open = { metadata: { name: 'open' }, spec: { disruption: { budgets: [] } } }
    const counts = new Map([
      ['p', { total: 9, disrupting: 1 }],
      ['open', { total: 3, disrupting: 0 }],
    ])
    const reading = { pools: [pool], claims: [], pods: [], counts, prices: labelPrices, samples: [] }
    expect(readingAt(5, reading).values['allowed']).toEqual({
      'p · Underutilized': 4,
      'p · Empty': 4,
      'p · Drifted': 1,
    })
    const net = netAllowances(open, { total: 3, disrupting: 0 }, 5)
    const shown = readingAt(5, { ...reading, pools: [open] }).values['allowed'] ?? {}
    for (const { reasons, left } of net) for (const each of reasons) expect(shown[`open · ${each}`]).toBe(left)
  })

  test('has no value, instead of 0, for unreadable lists', () => {
    const nothing = { pools: undefined, claims: undefined, pods: undefined, prices: labelPrices, samples: [] }
    const reading = readingAt(5, nothing)
    for (const chart of ['nodes', 'cost', 'usage', 'pending']) expect(chartLines([reading], chart, 0)).toEqual([])
    const later = readingAt(6, { ...nothing, pods: [] })
    expect(chartLines([reading, later], 'pending', 0)).toEqual([{ name: 'Pending', points: [{ time: 6, value: 0 }] }])
    const unpriced = { metadata: { name: 'u', labels: { 'karpenter.sh/nodepool': 'p' } }, status: { providerID: 'u' } }
    const pool = { metadata: { name: 'p' } }
    expect(readingAt(7, { ...nothing, pools: [pool], claims: [unpriced] }).values['cost']).toEqual({})
  })

  test('starts with a day of Kerf’s own samples if Kerf reports them', () => {
    const response = {
      since: 60_000,
      from: 60_000,
      step: 60_000,
      leftOut: 2,
      charts: { cost: { a: [1, null, 3] }, created: { 'a · provisioned': [4, 6, null] }, usage: { broken: 'x' } },
    }
    const history = reportedHistory(response)
    expect(history).toMatchObject({ since: 60_000, leftOut: 2 })
    expect(history?.lines('cost', 0)).toEqual([
      {
        name: 'a',
        points: [
          { time: 60_000, value: 1 },
          { time: 180_000, value: 3 },
        ],
      },
    ])
    expect(history?.lines('cost', 100_000)).toEqual([{ name: 'a', points: [{ time: 180_000, value: 3 }] }])
    expect(history?.lines('created', 0)).toEqual([{ name: 'a · provisioned', points: [{ time: 120_000, value: 2 }] }])
    expect(history?.lines('usage', 0)).toEqual([])
    for (const none of [undefined, {}, 'no', { since: 1, from: 1, step: 0 }])
      expect(reportedHistory(none)).toBeUndefined()
  })
})

describe('a chart without lines', () => {
  const line = { name: 'a', points: [{ time: 1, value: 2 }] }
  test.each([
    ['shows its lines', [line], [line], undefined],
    ['has values outside its range', [], [line], 'range'],
    ['has no values at all', [], [], 'series'],
  ] as const)('%s', (_, inRange, ever, why) => {
    const found = linesOrWhy(inRange, () => ever, 'series')
    expect(found).toEqual({ lines: inRange, ...(why === undefined ? {} : { none: why }) })
  })
})
