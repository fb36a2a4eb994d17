import { useSnackbar } from 'notistack'
import { useMemo, useState } from 'react'
import { useT } from '../locales/use-t.ts'
import { checkText, editorText } from '../model/editing.ts'
import { changedPaths, type Conflict, mergeInto, pathText, withField } from '../model/merge.ts'
import { textAt } from '../model/read.ts'
import type { OpenedEdit } from './open-edit.ts'
import { create, type Outcome, reload, send } from './save.ts'
import type { View } from './text-view.tsx'
import { useSchema } from './use-schema.ts'
import { useStored } from './use-stored.ts'

/** Returns the resourceVersion of an object as a number. API servers use increasing numbers. */
const objectVersion = (object: unknown): number => Number(textAt(object, 'metadata', 'resourceVersion') ?? 0)

/**
 * The state of one edit: the text, its problems, the stored object, and the result of the last attempt to save.
 * Changes by other users are reported at once, and saving is refused until they are merged into the text. A proposed
 * change is in the text from the start and is compared with the stored object.
 */
export const useEdit = ({ item, proposed }: OpenedEdit, onSaved: () => void) => {
  const t = useT()
  const { enqueueSnackbar } = useSnackbar()
  const [original, setOriginal] = useState<unknown>(item.jsonData)
  const before = useMemo(() => editorText(original), [original])
  const [text, setText] = useState(() =>
    proposed === undefined ? before : withField(before, proposed.path, proposed.value),
  )
  const [view, setView] = useState<View>(proposed === undefined ? 'edit' : 'diff')
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [taken, setTaken] = useState<readonly string[]>([])
  // The stored object as it was read after a refused save. Needed if the user is not allowed to watch the object.
  const [found, setFound] = useState<unknown>()
  const schema = useSchema(item)
  const stored = useStored(item)
  const {
    object,
    stored: effective,
    problems,
  } = useMemo(
    () => checkText(text, schema === 'asking' || schema === 'none' ? undefined : schema, original),
    [text, schema, original],
  )
  const watched = 'object' in stored ? stored.object : undefined
  const theirs = objectVersion(found) > objectVersion(watched) ? found : watched
  const changed = useMemo(
    () =>
      theirs === undefined || objectVersion(theirs) <= objectVersion(original) ? [] : changedPaths(original, theirs),
    [original, theirs],
  )
  const isChanged = text !== before
  const isGone = stored.state === 'gone' || outcome?.kind === 'gone'
  const change = (edited: string): void => {
    if (edited === text) return
    setText(edited)
    setOutcome(undefined)
  }
  const settle = (result: Outcome, isStored: boolean): void => {
    setBusy(false)
    setOutcome(result)
    if (result.kind !== 'accepted' || !isStored) return
    enqueueSnackbar(t('saved', { name: item.getName() }), { variant: 'success' })
    onSaved()
  }
  const sendIt = async (dryRun: boolean): Promise<void> => {
    if (object === undefined) return
    setBusy(true)
    const result = await send(item, original, object, dryRun)
    if (result.kind === 'conflict') setFound(await reload(item))
    settle(result, !dryRun)
  }
  /** Stores the text as a new object. Used if another user deleted the old one. */
  const createIt = async (): Promise<void> => {
    if (object === undefined) return
    setBusy(true)
    settle(await create(item, object), true)
  }
  /** Merges the changes of other users into the text. If both changed the same field, the user decides. */
  const takeOver = (): void => {
    if (theirs === undefined || object === undefined) return
    const merged = mergeInto(text, original, object, theirs)
    setText(merged.text)
    setConflicts(merged.conflicts)
    setTaken(merged.changes.map(({ path }) => pathText(path)))
    setOriginal(theirs)
    setOutcome(undefined)
  }
  const decide = (conflict: Conflict, isMine: boolean): void => {
    if (!isMine) setText(withField(text, conflict.path, conflict.theirs))
    setConflicts(conflicts.filter((each) => each !== conflict))
  }
  const isRight = !problems.some(({ severity }) => severity === 'error')
  return {
    original,
    before,
    text,
    view,
    setView,
    hasSchema: schema !== 'none',
    object,
    /** The object that the API server would store, including defaults. */
    effective,
    problems,
    outcome,
    stored: stored.state,
    isGone,
    /** The paths of changes by other users that are not in the text yet. */
    changed: isGone ? [] : changed,
    conflicts,
    taken,
    isChanged,
    canSend: isChanged && isRight && !isBusy && !isGone && changed.length === 0 && conflicts.length === 0,
    canCreate: isGone && isRight && !isBusy,
    canTakeOver: object !== undefined && !isBusy,
    change,
    sendIt,
    createIt,
    takeOver,
    decide,
    undo: () => {
      setText(before)
      setConflicts([])
      setTaken([])
    },
  }
}
