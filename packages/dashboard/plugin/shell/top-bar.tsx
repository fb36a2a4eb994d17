import AppBar from '@mui/material/AppBar'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Toolbar from '@mui/material/Toolbar'
import Tooltip from '@mui/material/Tooltip'
import { Icon } from '@iconify/react'
import { AppLogo } from '@kinvolk/headlamp-plugin/lib/components/App/AppLogo'
import SettingsButton from '@kinvolk/headlamp-plugin/lib/components/App/Settings/SettingsButton'
import { setTheme, useCurrentAppTheme } from '@kinvolk/headlamp-plugin/lib/components/App/themeSlice'
import ErrorBoundary from '@kinvolk/headlamp-plugin/lib/components/common/ErrorBoundary'
import { setWhetherSidebarOpen } from '@kinvolk/headlamp-plugin/lib/components/Sidebar/sidebarSlice'
import { useSidebarInfo } from '@kinvolk/headlamp-plugin/lib/components/Sidebar/Sidebar'
import { useCluster } from '@kinvolk/headlamp-plugin/lib/lib/k8s'
import { useTypedSelector } from '@kinvolk/headlamp-plugin/lib/redux/hooks'
import { type ComponentType, isValidElement } from 'react'
import { useTranslation } from 'react-i18next'
import { useDispatch } from 'react-redux'
import { Link as RouterLink } from 'react-router-dom'

/** Renders the actions that plugins add to the top bar. An action is an element or a component. */
const PluginActions = () => {
  const actions = useTypedSelector((state) => state.actionButtons.appBarActions)
  return (
    <>
      {actions.map(({ id, action }) => {
        if (action === undefined || action === null) return null
        const Action = action as ComponentType
        return <ErrorBoundary key={id}>{isValidElement(action) ? action : <Action />}</ErrorBoundary>
      })}
    </>
  )
}

export const TopBar = () => {
  const { t } = useTranslation()
  const dispatch = useDispatch()
  const cluster = useCluster()
  const theme = useCurrentAppTheme()
  const { isOpen, isTemporary } = useSidebarInfo()
  const next = theme.base === 'dark' ? 'light' : 'dark'
  return (
    <AppBar
      position="static"
      elevation={0}
      sx={(current) => ({
        backgroundColor: current.palette.navbar.background,
        color: current.palette.navbar.color,
        borderBottom: `1px solid ${current.palette.divider}`,
      })}
    >
      <Link
        href="#main"
        sx={{ position: 'absolute', left: -9999, '&:focus': { left: 8, top: 8, zIndex: 2000 } }}
        color="inherit"
      >
        {t('Skip to main content')}
      </Link>
      <Toolbar variant="dense" sx={{ gap: 1 }}>
        {isTemporary && (
          <IconButton
            color="inherit"
            aria-label={t('Navigation')}
            onClick={() => dispatch(setWhetherSidebarOpen(!isOpen))}
          >
            <Icon icon="mdi:menu" />
          </IconButton>
        )}
        <RouterLink to="/" aria-label="Headlamp" style={{ display: 'flex' }}>
          <AppLogo />
        </RouterLink>
        <Box sx={{ flex: 1, fontSize: '0.9rem', opacity: 0.9 }}>{cluster}</Box>
        <PluginActions />
        <Tooltip title={t(next === 'dark' ? 'Dark theme' : 'Light theme')}>
          <IconButton
            color="inherit"
            aria-label={t(next === 'dark' ? 'Dark theme' : 'Light theme')}
            onClick={() => dispatch(setTheme(next))}
          >
            <Icon icon={next === 'dark' ? 'mdi:weather-night' : 'mdi:weather-sunny'} />
          </IconButton>
        </Tooltip>
        <SettingsButton />
      </Toolbar>
    </AppBar>
  )
}
