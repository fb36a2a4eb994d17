import { NameValueTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { MenuItem, Select, TextField } from '@mui/material'
import type { ReactNode } from 'react'
import { prometheusBase } from '../cluster/prometheus.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { type Range, ranges, resolutions } from '../model/charts.ts'
import { controllerBase } from '../model/controller-address.ts'
import { changeSettings, languages, type Settings, useSettings } from '../settings/settings.ts'

const Pick = <T extends string>({
  label,
  value,
  all,
  show = (each) => each,
  onPick,
}: {
  readonly label: string
  readonly value: T
  readonly all: readonly T[]
  readonly show?: (each: T) => string
  readonly onPick: (chosen: T) => void
}) => (
  <Select
    size="small"
    value={value}
    onChange={(event) => onPick(event.target.value as T)}
    inputProps={{ 'aria-label': label }}
  >
    {all.map((each) => (
      <MenuItem key={each} value={each}>
        {show(each)}
      </MenuItem>
    ))}
  </Select>
)

/** The name of each language in that language. */
const LANGUAGE_NAMES: Readonly<Partial<Record<string, string>>> = { en: 'English', uk: 'Українська', zh: '中文' }

/** A row of the page: a setting and its control. */
interface Row {
  readonly name: string
  readonly value: ReactNode
}

const TextRow = ({
  label,
  value,
  onChange,
  ...more
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly placeholder?: string
  readonly error?: boolean
  readonly helperText?: string
}) => (
  <TextField
    size="small"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    inputProps={{ 'aria-label': label }}
    {...more}
  />
)

const languageRow = (t: Translate, { language }: Settings): Row => ({
  name: t('language'),
  value: (
    <Pick
      label={t('language')}
      value={language}
      all={languages}
      show={(each) => LANGUAGE_NAMES[each] ?? t('languageAuto')}
      onPick={(chosen) => changeSettings({ language: chosen })}
    />
  ),
})

/** Returns the rows for the addresses of Prometheus and of the controller. */
const addressRows = (t: Translate, settings: Settings): readonly Row[] => {
  const { prometheus, prometheusPath, controller } = settings
  const help = (isWrong: boolean): string => t(isWrong ? 'prometheusAddressWrong' : 'prometheusAddressHelp')
  const isWrong = prometheus !== '' && prometheusBase(settings) === undefined
  const isControllerWrong = controller !== '' && controllerBase(controller) === undefined
  return [
    {
      name: t('prometheusAddress'),
      value: (
        <TextRow
          label={t('prometheusAddress')}
          placeholder="monitoring/prometheus-server:80"
          value={prometheus}
          error={isWrong}
          helperText={help(isWrong)}
          onChange={(text) => changeSettings({ prometheus: text })}
        />
      ),
    },
    {
      name: t('prometheusPath'),
      value: (
        <TextRow
          label={t('prometheusPath')}
          value={prometheusPath}
          onChange={(text) => changeSettings({ prometheusPath: text })}
        />
      ),
    },
    {
      name: t('controllerAddress'),
      value: (
        <TextRow
          label={t('controllerAddress')}
          placeholder="kube-system/karpenter:8080"
          value={controller}
          error={isControllerWrong}
          helperText={help(isControllerWrong)}
          onChange={(text) => changeSettings({ controller: text })}
        />
      ),
    },
  ]
}

const rangeRow = (label: string, value: Range, onPick: (range: Range) => void): Row => ({
  name: label,
  value: <Pick label={label} value={value} all={ranges} onPick={onPick} />,
})

/** Returns the rows for the initial values of the charts. */
const chartRows = (t: Translate, settings: Settings): readonly Row[] => [
  rangeRow(t('poolRange'), settings.poolRange, (poolRange) => changeSettings({ poolRange })),
  rangeRow(t('claimRange'), settings.claimRange, (claimRange) => changeSettings({ claimRange })),
  {
    name: t('resolution'),
    value: (
      <Pick
        label={t('resolution')}
        value={settings.resolution}
        all={resolutions}
        show={(each) => t(`resolution.${each}`)}
        onPick={(resolution) => changeSettings({ resolution })}
      />
    ),
  },
  {
    name: t('every'),
    value: (
      <Pick
        label={t('every')}
        value={String(settings.every)}
        all={['5', '10', '30', '60', '300']}
        onPick={(every) => changeSettings({ every: Number(every) })}
      />
    ),
  },
]

/** Shows the plugin's settings on Headlamp's settings page. */
export const SettingsPage = () => {
  const t = useT()
  const settings = useSettings()
  return <NameValueTable rows={[languageRow(t, settings), ...addressRows(t, settings), ...chartRows(t, settings)]} />
}
