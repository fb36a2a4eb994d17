import { NameValueTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { MenuItem, Select, TextField } from '@mui/material'
import { baseOf } from '../cluster/prometheus.ts'
import { ranges, resolutions } from '../model/charts.ts'
import { controllerBase } from '../model/controller-address.ts'
import { changeSettings, languages, useSettings } from '../settings/settings.ts'
import type { Word } from '../words/en.ts'
import { useWords } from '../words/use-words.ts'

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

/** Each in its own words, whatever language the page is in. */
const LANGUAGE_NAMES: Readonly<Partial<Record<string, string>>> = { en: 'English', uk: 'Українська', zh: '中文' }

/** The plugin's settings, on Headlamp's own page for them. */
export const SettingsPage = () => {
  const say = useWords()
  const settings = useSettings()
  const isWrong = settings.prometheus !== '' && baseOf(settings) === undefined
  const isControllerWrong = settings.controller !== '' && controllerBase(settings.controller) === undefined
  return (
    <NameValueTable
      rows={[
        {
          name: say('language'),
          value: (
            <Pick
              label={say('language')}
              value={settings.language}
              all={languages}
              show={(each) => LANGUAGE_NAMES[each] ?? say('languageAuto')}
              onPick={(language) => changeSettings({ language })}
            />
          ),
        },
        {
          name: say('prometheusAddress'),
          value: (
            <TextField
              size="small"
              placeholder="monitoring/prometheus-server:80"
              value={settings.prometheus}
              error={isWrong}
              helperText={isWrong ? say('prometheusAddressWrong') : say('prometheusAddressHelp')}
              onChange={({ target }) => changeSettings({ prometheus: target.value })}
              inputProps={{ 'aria-label': say('prometheusAddress') }}
            />
          ),
        },
        {
          name: say('prometheusPath'),
          value: (
            <TextField
              size="small"
              value={settings.prometheusPath}
              onChange={({ target }) => changeSettings({ prometheusPath: target.value })}
              inputProps={{ 'aria-label': say('prometheusPath') }}
            />
          ),
        },
        {
          name: say('controllerAddress'),
          value: (
            <TextField
              size="small"
              placeholder="kube-system/karpenter:8080"
              value={settings.controller}
              error={isControllerWrong}
              helperText={say(isControllerWrong ? 'prometheusAddressWrong' : 'prometheusAddressHelp')}
              onChange={({ target }) => changeSettings({ controller: target.value })}
              inputProps={{ 'aria-label': say('controllerAddress') }}
            />
          ),
        },
        {
          name: say('poolRange'),
          value: (
            <Pick
              label={say('poolRange')}
              value={settings.poolRange}
              all={ranges}
              onPick={(poolRange) => changeSettings({ poolRange })}
            />
          ),
        },
        {
          name: say('claimRange'),
          value: (
            <Pick
              label={say('claimRange')}
              value={settings.claimRange}
              all={ranges}
              onPick={(claimRange) => changeSettings({ claimRange })}
            />
          ),
        },
        {
          name: say('resolution'),
          value: (
            <Pick
              label={say('resolution')}
              value={settings.resolution}
              all={resolutions}
              show={(each) => say(`resolution.${each}` as Word)}
              onPick={(resolution) => changeSettings({ resolution })}
            />
          ),
        },
        {
          name: say('every'),
          value: (
            <Pick
              label={say('every')}
              value={String(settings.every)}
              all={['5', '10', '30', '60', '300']}
              onPick={(every) => changeSettings({ every: Number(every) })}
            />
          ),
        },
      ]}
    />
  )
}
