import Button from '@mui/material/Button'
import { useTypedSelector } from '@kinvolk/headlamp-plugin/lib/redux/hooks'
import store from '@kinvolk/headlamp-plugin/lib/redux/stores/store'
import { useSnackbar } from 'notistack'
import { useEffect, useRef } from 'react'
import { useHistory } from 'react-router-dom'

/**
 * Shows requested changes (delete, scale, …) with a button to cancel them. If the object on the current page is being
 * deleted, leaves the page.
 */
export const ActionNotices = () => {
  const actions = useTypedSelector((state) => state.clusterAction)
  const { enqueueSnackbar, closeSnackbar } = useSnackbar()
  const history = useHistory()
  const followed = useRef(new Set<string>())
  useEffect(() => {
    for (const action of Object.values(actions)) {
      if (action.dismissSnackbar !== undefined) closeSnackbar(action.dismissSnackbar)
      const step = `${action.id} ${action.state ?? ''}`
      if (action.url !== undefined && !followed.current.has(step)) {
        followed.current.add(step)
        if (history.location.pathname !== action.url) history.push(action.url)
      }
      if (action.message === undefined) continue
      enqueueSnackbar(action.message, {
        key: `${action.id}${action.state === 'start' ? '' : `-${action.state ?? ''}`}`,
        preventDuplicate: true,
        autoHideDuration: action.autoHideDuration ?? 5000,
        ...action.snackbarProps,
        action: () =>
          (action.buttons ?? []).map(({ label, actionToDispatch }) => (
            <Button key={actionToDispatch} color="inherit" onClick={() => store.dispatch({ type: actionToDispatch })}>
              {label}
            </Button>
          )),
      })
    }
  }, [actions, closeSnackbar, enqueueSnackbar, history])
  return null
}
