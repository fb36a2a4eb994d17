import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, Typography, useTheme } from '@mui/material'
import { useMemo } from 'react'
import {
  Brush,
  CartesianGrid,
  Legend,
  Line as Stroke,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { useT } from '../locales/use-t.ts'
import { asCsv, type Chart, foldLines, type Line, type Lines, showValue, type Unit } from '../model/charts.ts'

/** Distinguishable for people who do not see all colours, on light and on dark. */
const COLOURS = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#8c7ae6',
  '#a3a500',
  '#999999',
  '#b5651d',
  '#00a3a3',
  '#e75480',
]

const download = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** The values of all lines by time, as recharts reads them. */
const rowsOf = (lines: readonly Line[]): readonly Readonly<Record<string, number>>[] => {
  const byTime = new Map<number, Record<string, number>>()
  for (const { name, points } of lines) {
    for (const { time, value } of points) {
      const row = byTime.get(time) ?? { time }
      row[name] = value
      byTime.set(time, row)
    }
  }
  return [...byTime.values()].sort((a, b) => (a['time'] ?? 0) - (b['time'] ?? 0))
}

const clock = (time: number): string =>
  new Date(time).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })

/** What the lines take without their names, and what a row of names takes, in pixels; about how many letters stand in a row. */
const PLOT_HEIGHT = 258
const NAMES_ROW_HEIGHT = 22
const NAMES_ROW_LETTERS = 40

/** The names of many lines stand below the plot and do not take its place. */
const heightOf = (lines: readonly Line[]): number => {
  const letters = lines.reduce((sum, { name }) => sum + name.length + 4, 0)
  return PLOT_HEIGHT + NAMES_ROW_HEIGHT * Math.ceil(letters / NAMES_ROW_LETTERS)
}

/** The lines drawn over time, with values on hover and handles that choose a part of the time. */
const Plot = ({
  title,
  unit,
  lines,
}: {
  readonly title: string
  readonly unit: Unit
  readonly lines: readonly Line[]
}) => {
  const { palette } = useTheme()
  const rows = useMemo(() => rowsOf(lines), [lines])
  const axis = { stroke: palette.text.secondary, fontSize: 12 }
  const show = (value: unknown): string => showValue(unit, Number(value))
  return (
    <Box
      sx={{ height: heightOf(lines) }}
      role="img"
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
          <YAxis width={72} tickFormatter={show} {...axis} />
          <Tooltip
            labelFormatter={(time) => new Date(Number(time)).toLocaleString()}
            formatter={show}
            contentStyle={{ background: palette.background.paper, borderColor: palette.divider }}
          />
          <Legend />
          {lines.map(({ name }, place) => (
            <Stroke
              key={name}
              type="stepAfter"
              dataKey={name}
              name={name}
              stroke={COLOURS[place % COLOURS.length] as string}
              strokeWidth={2}
              dot={false}
              connectNulls={false}
              isAnimationActive={false}
            />
          ))}
          {rows.length > 10 && (
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

/** One chart: a line for each name, values on hover, a part of the time by its handles, and everything as CSV. */
export const ChartView = ({ chart, answer }: { readonly chart: Chart; readonly answer: Lines | undefined }) => {
  const t = useT()
  const others = t('others')
  const lines = useMemo(
    () => (answer === undefined || 'problem' in answer ? [] : foldLines(answer.lines, others)),
    [answer, others],
  )
  const title = t(`chart.${chart.id}`)
  const notice =
    answer === undefined
      ? t('loading')
      : 'problem' in answer
      ? answer.problem
      : lines.length === 0
      ? t('noData')
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
        <Plot title={title} unit={chart.unit} lines={lines} />
      )}
    </SectionBox>
  )
}
