import { NameValueTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { MenuItem, Select, TextField } from '@mui/material'
import { baseOf } from '../cluster/prometheus.ts'
import { useT } from '../locales/use-t.ts'
import { ranges, resolutions } from '../model/charts.ts'
import { controllerBase } from '../model/controller-address.ts'
import { changeSettings, languages, useSettings } from '../settings/settings.ts'

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

/** Each language by its own name, whatever language the page is in. */
const LANGUAGE_NAMES: Readonly<Partial<Record<string, string>>> = { en: 'English', uk: 'Українська', zh: '中文' }

/** The plugin's settings, on Headlamp's own page for them. */
export const SettingsPage = () => {
  const t = useT()
  const settings = useSettings()
  const isWrong = settings.prometheus !== '' && baseOf(settings) === undefined
  const isControllerWrong = settings.controller !== '' && controllerBase(settings.controller) === undefined
  return (
    <NameValueTable
      rows={[
        {
          name: t('language'),
          value: (
            <Pick
              label={t('language')}
              value={settings.language}
              all={languages}
              show={(each) => LANGUAGE_NAMES[each] ?? t('languageAuto')}
              onPick={(language) => changeSettings({ language })}
            />
          ),
        },
        {
          name: t('prometheusAddress'),
          value: (
            <TextField
              size="small"
              placeholder="monitoring/prometheus-server:80"
              value={settings.prometheus}
              error={isWrong}
              helperText={isWrong ? t('prometheusAddressWrong') : t('prometheusAddressHelp')}
              onChange={({ target }) => changeSettings({ prometheus: target.value })}
              inputProps={{ 'aria-label': t('prometheusAddress') }}
            />
          ),
        },
        {
          name: t('prometheusPath'),
          value: (
            <TextField
              size="small"
              value={settings.prometheusPath}
              onChange={({ target }) => changeSettings({ prometheusPath: target.value })}
              inputProps={{ 'aria-label': t('prometheusPath') }}
            />
          ),
        },
        {
          name: t('controllerAddress'),
          value: (
            <TextField
              size="small"
              placeholder="kube-system/karpenter:8080"
              value={settings.controller}
              error={isControllerWrong}
              helperText={t(isControllerWrong ? 'prometheusAddressWrong' : 'prometheusAddressHelp')}
              onChange={({ target }) => changeSettings({ controller: target.value })}
              inputProps={{ 'aria-label': t('controllerAddress') }}
            />
          ),
        },
        {
          name: t('poolRange'),
          value: (
            <Pick
              label={t('poolRange')}
              value={settings.poolRange}
              all={ranges}
              onPick={(poolRange) => changeSettings({ poolRange })}
            />
          ),
        },
        {
          name: t('claimRange'),
          value: (
            <Pick
              label={t('claimRange')}
              value={settings.claimRange}
              all={ranges}
              onPick={(claimRange) => changeSettings({ claimRange })}
            />
          ),
        },
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
      ]}
    />
  )
}
