import { createLanguageModel } from './model.ts';
import { modelSettings, type LanguageConfig } from './settings.ts';
import type { LanguageModel } from './types.ts';

/**
 * The configured language model; null: none.
 * @throws {AppError} VALIDATION_ERROR when a setting is missing
 */
export function openLanguage(config: LanguageConfig): LanguageModel | null {
  const settings = modelSettings(config);
  return settings && createLanguageModel(settings);
}
