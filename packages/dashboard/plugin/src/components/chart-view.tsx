import { setOwnValue } from '@kerf/apis'
import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, Typography, useTheme } from '@mui/material'
import { useMemo } from 'react'
import { Brush, CartesianGrid, Line as Stroke, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import {
  asCsv,
  type Chart,
  foldLines,
  type Line,
  type Lines,
  type NoLines,
  showTick,
  showValue,
  type Unit,
} from '../model/charts.ts'
import { timeTick } from '../model/time-range.ts'

/** Colours that colour-blind users can distinguish, on light and dark backgrounds. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c7ae6', '#999999']

const download = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Returns the values of all lines at each time, in the format of recharts. */
const rowsOf = (lines: readonly Line[]): readonly Readonly<Record<string, number>>[] => {
  const byTime = new Map<number, Record<string, number>>()
  for (const { name, points } of lines) {
    for (const { time, value } of points) {
      const row = byTime.get(time) ?? { time }
      setOwnValue(row, name, value)
      byTime.set(time, row)
    }
  }
  return [...byTime.values()].sort((a, b) => (a['time'] ?? 0) - (b['time'] ?? 0))
}

const PLOT_HEIGHT = 220
/** Minimum number of points for which the chart has handles to select a time range. */
const FEWEST_TO_CHOOSE_FROM = 10

/** Draws the lines over time. Hovering shows values, and handles select a time range. */
export const Plot = ({
  title,
  unit,
  lines,
  height = PLOT_HEIGHT,
  hasBrush = true,
}: {
  readonly title: string
  readonly unit: Unit
  readonly lines: readonly Line[]
  readonly height?: number
  readonly hasBrush?: boolean
}) => {
  const { palette } = useTheme()
  const rows = useMemo(() => rowsOf(lines), [lines])
  const axis = { stroke: palette.text.secondary, fontSize: 12 }
  const show = (value: unknown): string => showValue(unit, Number(value))
  const length = (rows.at(-1)?.['time'] ?? 0) - (rows[0]?.['time'] ?? 0)
  const clock = (time: number): string => timeTick(time, length)
  const largest = useMemo(
    () => Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value))),
    [lines],
  )
  // Controls for the keyboard must not be inside an image, because screen readers ignore the content of images (axe:
  // nested-interactive).
  const hasHandles = hasBrush && rows.length > FEWEST_TO_CHOOSE_FROM
  return (
    <Box
      sx={{ height }}
      role={hasHandles ? 'figure' : 'img'}
      aria-label={`${title}: ${lines.map(({ name }) => name).join(', ')}`}
    >
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={[...rows]} margin={{ top: 8, right: 16, bottom: 0, left: 8 }}>
          <CartesianGrid strokeDasharray="3 3" stroke={palette.divider} />
          <XAxis
            dataKey="time"
            type="number"
            scale="time"
            domain={['dataMin', 'dataMax']}
            tickFormatter={clock}
            {...axis}
          />
          <YAxis
            width={56}
            tickCount={height < PLOT_HEIGHT ? 3 : 5}
            // A number of nodes or pods has no decimals.
            allowDecimals={unit !== 'count'}
            tickFormatter={(value) => showTick(unit, Number(value), largest)}
            {...axis}
          />
          <Tooltip
            labelFormatter={(time) => new Date(Number(time)).toLocaleString()}
            formatter={show}
            contentStyle={{ background: palette.background.paper, borderColor: palette.divider }}
            // A text in the colour of its line would have too little contrast, so a coloured sample shows which line
            // the text belongs to.
            itemStyle={{ color: palette.text.primary }}
            labelStyle={{ color: palette.text.primary }}
          />
          {lines.map(({ name, points }, place) => (
            <Stroke
              key={name}
              type="stepAfter"
              dataKey={name}
              name={name}
              stroke={COLOURS[place % COLOURS.length] as string}
              strokeWidth={2}
              // A line between fewer than two points would be invisible.
              dot={points.length === 1}
              connectNulls={false}
              isAnimationActive={false}
            />
          ))}
          {hasHandles && (
            <Brush
              dataKey="time"
              height={20}
              tickFormatter={clock}
              stroke={palette.primary.main}
              fill={palette.background.paper}
            />
          )}
        </LineChart>
      </ResponsiveContainer>
    </Box>
  )
}

/** Shows, below the plot, the name and the last value of each line. */
export const Names = ({
  unit,
  lines,
  amounts,
  width = '17rem',
}: {
  readonly unit: Unit
  readonly lines: readonly Line[]
  /** Text to show next to the value of a line, keyed by the name of the line. */
  readonly amounts?: ReadonlyMap<string, string> | undefined
  /** The minimum width of one name together with its value. */
  readonly width?: string
}) => (
  <Box
    component="ul"
    sx={{
      display: 'grid',
      gridTemplateColumns: `repeat(auto-fill, minmax(${width}, 1fr))`,
      columnGap: 2,
      m: 0,
      pl: 7,
      listStyle: 'none',
    }}
  >
    {lines.map(({ name, points }, place) => (
      <Box component="li" key={name} sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        <Box sx={{ width: 12, height: 3, flex: 'none', bgcolor: COLOURS[place % COLOURS.length] }} />
        <Typography variant="caption" noWrap title={name} sx={{ flex: 1 }}>
          {name}
        </Typography>
        <Typography variant="caption" sx={{ whiteSpace: 'nowrap' }}>
          {showValue(unit, points.at(-1)?.value ?? 0)}
          {amounts?.has(name) === true && ` (${amounts.get(name)})`}
        </Typography>
      </Box>
    ))}
  </Box>
)

const noLinesText = (why: NoLines | undefined, t: Translate): string => {
  switch (why) {
    case 'range':
      return t('noData')
    case 'series':
      return t('noSeries')
    default:
      return t('noValues')
  }
}

/**
 * Shows one chart: a line for each name, values on hover, a time range that the user can select, and a CSV export.
 */
export const ChartView = ({
  chart,
  answer,
  amounts,
}: {
  readonly chart: Chart
  readonly answer: Lines | undefined
  /** The last values as absolute amounts, keyed by the name of the line. */
  readonly amounts?: ReadonlyMap<string, string> | undefined
}) => {
  const t = useT()
  const others = t('others')
  const { lines, leftOut } = useMemo(
    () => foldLines(answer === undefined || 'problem' in answer ? [] : answer.lines, others, chart.addsUp),
    [answer, others, chart.addsUp],
  )
  const title = t(`chart.${chart.id}`)
  const notice =
    answer === undefined
      ? t('loading')
      : 'problem' in answer
      ? answer.problem
      : lines.length === 0
      ? noLinesText(answer.none, t)
      : undefined
  return (
    <SectionBox
      title={title}
      headerProps={{
        actions: [
          <Button
            key="csv"
            size="small"
            disabled={lines.length === 0}
            onClick={() => download(`${chart.id}.csv`, asCsv(lines))}
          >
            {t('exportCsv')}
          </Button>,
        ],
      }}
    >
      {notice !== undefined ? (
        <Typography role="status" sx={{ p: 4, textAlign: 'center' }} color="text.secondary">
          {notice}
        </Typography>
      ) : (
        <>
          <Plot title={title} unit={chart.unit} lines={lines} />
          <Names unit={chart.unit} lines={lines} amounts={amounts} />
          {leftOut > 0 && <Typography variant="caption">{t('linesMore', { count: leftOut })}</Typography>}
        </>
      )}
    </SectionBox>
  )
}
