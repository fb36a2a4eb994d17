import { useSnackbar } from 'notistack'
import { useMemo, useState } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { checkText, textOf } from '../model/editing.ts'
import { type Outcome, reload, send } from './save.ts'
import type { View } from './text-view.tsx'
import { useSchema } from './use-schema.ts'

/** The state of one edit: the text against what is stored, its problems, and the result of sending it. */
export const useEdit = (item: AnyObject, onSaved: () => void) => {
  const t = useT()
  const { enqueueSnackbar } = useSnackbar()
  const [original, setOriginal] = useState<unknown>(item.jsonData)
  const before = useMemo(() => textOf(original), [original])
  const [text, setText] = useState(before)
  const [view, setView] = useState<View>('edit')
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const schema = useSchema(item)
  const { object, problems } = useMemo(
    () => checkText(text, schema === 'asking' || schema === 'none' ? undefined : schema, original),
    [text, schema, original],
  )
  const sendIt = async (dryRun: boolean): Promise<void> => {
    if (object === undefined) return
    setBusy(true)
    const result = await send(item, original, object, dryRun)
    setBusy(false)
    setOutcome(result)
    if (result.kind === 'accepted' && !dryRun) {
      enqueueSnackbar(t('saved', { name: item.getName() }), { variant: 'success' })
      onSaved()
    }
  }
  /** The stored object becomes the new beginning; the edited text is kept, so the comparison shows both changes. */
  const rebase = async (): Promise<void> => {
    const now = await reload(item)
    if (now === undefined) return
    setOriginal(now)
    setOutcome(undefined)
    setView('diff')
  }
  const change = (changed: string): void => {
    setText(changed)
    setOutcome(undefined)
  }
  const isChanged = text !== before
  const canSend = isChanged && problems.length === 0 && !isBusy
  return {
    original,
    before,
    text,
    view,
    setView,
    hasSchema: schema !== 'none',
    object,
    problems,
    outcome,
    isChanged,
    canSend,
    change,
    sendIt,
    rebase,
    undo: () => setText(before),
  }
}
