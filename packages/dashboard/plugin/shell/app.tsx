import { StyledEngineProvider, ThemeProvider } from '@mui/material/styles'
import { getBaseUrl } from '@kinvolk/headlamp-plugin/lib/helpers/getBaseUrl'
import '@kinvolk/headlamp-plugin/lib/i18n/config'
import { useCurrentAppTheme } from '@kinvolk/headlamp-plugin/lib/components/App/themeSlice'
import { queryClient } from '@kinvolk/headlamp-plugin/lib/lib/queryClient'
import { setStore } from '@kinvolk/headlamp-plugin/lib/lib/router/createRouteURL'
import { createMuiTheme } from '@kinvolk/headlamp-plugin/lib/lib/themes'
import Plugins from '@kinvolk/headlamp-plugin/lib/plugin/Plugins'
import store from '@kinvolk/headlamp-plugin/lib/redux/stores/store'
import { QueryClientProvider } from '@tanstack/react-query'
import { SnackbarProvider } from 'notistack'
import { type ReactNode, useMemo } from 'react'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router-dom'
import { ActionNotices } from './action-notices'
import { Layout } from './layout'

// The shell must provide the store in which the library's links look up the routes of plugins.
setStore(store)

// The map waits until the requests for all of its resource kinds have ended, so requests for missing or forbidden kinds must not be
// retried.
queryClient.setDefaultOptions({
  queries: {
    ...queryClient.getDefaultOptions().queries,
    retry: (failures, error) =>
      failures < 3 && ![403, 404].includes((error as { readonly status?: number }).status ?? 0),
  },
})

const Themed = ({ children }: { readonly children: ReactNode }) => {
  const chosen = useCurrentAppTheme()
  const theme = useMemo(() => createMuiTheme(chosen), [chosen])
  return (
    <StyledEngineProvider injectFirst>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </StyledEngineProvider>
  )
}

/** Headlamp's frontend in Kerf's own shell. The npm package has the frontend, but not the outer frame. */
export const App = () => (
  <Provider store={store}>
    <QueryClientProvider client={queryClient}>
      <Themed>
        <SnackbarProvider anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }} maxSnack={4}>
          <BrowserRouter basename={getBaseUrl()}>
            <Plugins />
            <ActionNotices />
            <Layout />
          </BrowserRouter>
        </SnackbarProvider>
      </Themed>
    </QueryClientProvider>
  </Provider>
)
