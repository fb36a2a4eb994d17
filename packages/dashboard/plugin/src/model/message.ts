import { textAt } from './read.ts'

/** Characters that control the direction of the text that follows them. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
const FROM_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069']

/**
 * Returns a text by another author in a form that does not change the direction of the surrounding text: without the characters that
 * control the direction, and isolated if it contains right-to-left letters.
 */
export const isolatedText = (text: string): string => {
  const plain = text.replaceAll(CONTROLS, '')
  return FROM_RIGHT_TO_LEFT.test(plain) ? `${ISOLATE}${plain}${END_OF_ISOLATE}` : plain
}

/** Returns the message of an Event (`message`, or `note` in the newer API) or of a condition, or an empty string. */
export const messageOf = (object: unknown): string =>
  isolatedText(textAt(object, 'message') ?? textAt(object, 'note') ?? '')
