import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Container from '@mui/material/Container'
import CssBaseline from '@mui/material/CssBaseline'
import { ActivitiesRenderer } from '@kinvolk/headlamp-plugin/lib/components/activity/Activity'
import RouteSwitcher from '@kinvolk/headlamp-plugin/lib/components/App/RouteSwitcher'
import Loader from '@kinvolk/headlamp-plugin/lib/components/common/Loader'
import Sidebar from '@kinvolk/headlamp-plugin/lib/components/Sidebar/Sidebar'
import { useTypedSelector } from '@kinvolk/headlamp-plugin/lib/redux/hooks'
import { useUIPanelsGroupedBySide } from '@kinvolk/headlamp-plugin/lib/redux/uiSlice'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'react-router-dom'
import { TopBar } from './top-bar'
import { useBackendConfig } from './use-backend-config'

/** The path of the plugin's overview page, relative to the cluster. */
const OVERVIEW = '/karpenter'

/**
 * The outer frame: top bar, sidebar, page and floating panels. Pages appear when the configuration and the plugins
 * are loaded.
 */
export const Layout = () => {
  const { t } = useTranslation()
  const { ready, failure, onlyCluster } = useBackendConfig()
  const { pathname } = useLocation()
  const pluginsLoaded = useTypedSelector((state) => state.plugins.loaded)
  const panels = Object.values(useUIPanelsGroupedBySide()).flat()
  const isFullWidth = useTypedSelector((state) => state.ui.isFullWidth)
  return (
    <>
      <CssBaseline enableColorScheme />
      <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh', overflow: 'hidden' }}>
        <TopBar />
        <Box
          sx={{
            flex: 1,
            minHeight: 0,
            display: 'grid',
            gridTemplateColumns: 'auto minmax(0, 1fr)',
            gridTemplateRows: 'minmax(0, 1fr) auto',
            position: 'relative',
          }}
        >
          <Sidebar />
          <Box
            component="main"
            id="main"
            tabIndex={-1}
            sx={{ gridColumn: '2 / 3', gridRow: '1 / 2', overflow: 'auto', outline: 'none' }}
          >
            {failure !== undefined && (
              <Alert severity="error" sx={{ borderRadius: 0 }}>
                {failure}
              </Alert>
            )}
            {!ready || !pluginsLoaded ? (
              <Loader title={t('Loading')} />
            ) : pathname === '/' && onlyCluster !== undefined ? (
              // There is only one cluster, and Headlamp's own home page shows nothing about node autoscaling.
              <Redirect to={`/c/${onlyCluster}${OVERVIEW}`} />
            ) : (
              <Container
                disableGutters={isFullWidth === true}
                maxWidth={isFullWidth === true ? false : 'xl'}
                // The map fills its container, so the container must have a height.
                sx={isFullWidth === true ? { height: '100%', '& > *': { height: '100%' } } : {}}
              >
                <RouteSwitcher requiresToken={() => false} />
              </Container>
            )}
          </Box>
          <ActivitiesRenderer />
        </Box>
        {panels.map(({ id, component: Panel }) => (
          <Panel key={id} />
        ))}
      </Box>
    </>
  )
}
