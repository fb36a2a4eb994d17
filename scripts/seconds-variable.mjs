/**
 * Returns the seconds that an environment variable asks for, or the default when it is not set or empty.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} name
 * @param {number} byDefault
 * @returns {number}
 * @throws {Error} one line for the person who set it, when it is no whole number of seconds
 */
export const secondsVariable = (env, name, byDefault) => {
  const text = env[name] ?? ''
  if (text === '') return byDefault
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`${name} is "${text}": give it a whole number of seconds, for example ${byDefault}`)
  return Number(text)
}
