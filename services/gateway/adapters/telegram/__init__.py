"""Telegram's Bot API, on python-telegram-bot, by long polling."""
