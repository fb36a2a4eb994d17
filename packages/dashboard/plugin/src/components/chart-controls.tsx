import { Button, FormControl, InputLabel, MenuItem, Select, TextField, Typography } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import { type Range, ranges, type Resolution, resolutions } from '../model/charts.ts'
import { type ChosenRange, localTimeText, rangeAt, readLocalTime } from '../model/time-range.ts'

const Choice = <T extends string>({
  label,
  value,
  all,
  show = (each) => each,
  onChange,
}: {
  readonly label: string
  readonly value: T
  readonly all: readonly T[]
  readonly show?: (each: T) => string
  readonly onChange: (chosen: T) => void
}) => (
  <FormControl size="small" sx={{ minWidth: 120 }}>
    <InputLabel>{label}</InputLabel>
    <Select
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as T)}
      inputProps={{ 'aria-label': label }}
    >
      {all.map((each) => (
        <MenuItem key={each} value={each}>
          {show(each)}
        </MenuItem>
      ))}
    </Select>
  </FormControl>
)

/** A field for the start or the end of a fixed time range. Incomplete and invalid times are ignored. */
const TimeField = ({
  label,
  time,
  onChange,
}: {
  readonly label: string
  readonly time: number
  readonly onChange: (time: number) => void
}) => (
  <TextField
    size="small"
    type="datetime-local"
    label={label}
    value={localTimeText(time)}
    onChange={({ target }) => {
      const read = readLocalTime(target.value)
      if (read !== undefined) onChange(read)
    }}
    InputLabelProps={{ shrink: true }}
    inputProps={{ 'aria-label': label }}
  />
)

const FIXED = 'fixed'
const choices = [...ranges, FIXED] as const

interface Props {
  readonly chosen: ChosenRange
  readonly onChoose: (chosen: ChosenRange) => void
  readonly resolution: Resolution
  readonly onResolution: (resolution: Resolution) => void
  /** The time at which the charts were paused, in milliseconds. */
  readonly paused: number | undefined
  readonly onPause: (paused: number | undefined) => void
}

/**
 * Shows the controls of charts: the time range, the resolution, and a button that pauses updates. The time range ends now, or has a fixed
 * start and end.
 */
export const ChartControls = ({ chosen, onChoose, resolution, onResolution, paused, onPause }: Props) => {
  const t = useT()
  const choose = (choice: Range | typeof FIXED): void =>
    onChoose(
      choice === FIXED
        ? { kind: 'between', ...rangeAt(chosen, paused ?? Date.now()) }
        : { kind: 'last', range: choice },
    )
  return (
    <>
      <Choice
        label={t('range')}
        value={chosen.kind === 'last' ? chosen.range : FIXED}
        all={choices}
        show={(each) => (each === FIXED ? t('rangeFixed') : each)}
        onChange={choose}
      />
      {chosen.kind === 'between' && (
        <>
          <TimeField
            label={t('rangeFrom')}
            time={chosen.from}
            onChange={(from) => from < chosen.until && onChoose({ ...chosen, from })}
          />
          <TimeField
            label={t('rangeUntil')}
            time={chosen.until}
            onChange={(until) => until > chosen.from && onChoose({ ...chosen, until })}
          />
        </>
      )}
      <Choice
        label={t('resolution')}
        value={resolution}
        all={resolutions}
        show={(each) => t(`resolution.${each}`)}
        onChange={onResolution}
      />
      {chosen.kind === 'last' && (
        <Button size="small" onClick={() => onPause(paused === undefined ? Date.now() : undefined)}>
          {t(paused === undefined ? 'pause' : 'resume')}
        </Button>
      )}
      {chosen.kind === 'last' && paused !== undefined && (
        <Typography variant="body2" role="status">
          {t('pausedAt', { time: new Date(paused).toLocaleTimeString() })}
        </Typography>
      )}
    </>
  )
}
